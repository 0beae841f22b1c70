/** Without a page and an image, its default values are those of the manifests. */
export function chartFiles(
  manifests: Readonly<Record<string, string>>,
  identity: {
    readonly version: string;
    readonly description: string;
    readonly page?: string;
    readonly image?: string;
  },
): Readonly<Record<string, string>>;
