interface Product {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly author: string;
  readonly keywords: readonly string[];
  readonly engines: { readonly node: string };
}

export interface Identity extends Omit<Product, "engines"> {
  readonly name: string;
  readonly node: string;
  readonly page: string;
  readonly isOnGitHub: boolean;
  readonly serverName: string;
  readonly image: string;
}

export function identityOf(given: {
  readonly name: string | undefined;
  readonly repository: string | undefined;
  readonly product: Product;
}): Identity;
