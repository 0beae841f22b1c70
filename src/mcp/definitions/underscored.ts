/** Some model APIs reject dots in the names of tools, and with one of them the whole list. */
export function underscored(name: string): string {
  return name.replaceAll(".", "_");
}
