/** The label of skills that come with this package. */
export const EXAMPLE_LABEL = "bundled example";
