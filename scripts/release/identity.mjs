// Who publishes: the name of the package and the address of the repository, which a release is given, and what follows from them.

const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** Part of the names of repositories; the second of two parts may end with .git. */
const REPOSITORY = /^\/([\w.-]+(?:\/[\w.-]+)*)\/([\w.-]+?)(?:\.git)?\/?$/;

/** What a release is made of: `product` is package.json as it is in the repository. */
export function identityOf({ name, repository, product }) {
  if (!PACKAGE.test(name ?? "") || name.length > 214)
    throw new Error(
      `${name === undefined ? "--name is missing" : `'${name}' is not a name for a package`}; write --name <package>, such as --name @your-scope/skills-mcp`,
    );
  const url = URL.canParse(repository ?? "") ? new URL(repository) : undefined;
  const [, owner, title] = REPOSITORY.exec(url?.pathname ?? "") ?? [];
  if (url?.protocol !== "https:" || title === undefined)
    throw new Error(
      `${repository === undefined ? "--repository is missing" : `'${repository}' is not the address of a repository`}; write --repository <url>, such as --repository https://github.com/your-org/skills-mcp`,
    );
  const page = `https://${url.host}/${owner}/${title}`;
  const isOnGitHub = url.host === "github.com";
  const { version, description, license, author, keywords, engines } = product;
  return {
    name,
    version,
    description,
    license,
    author,
    keywords,
    node: engines.node,
    page,
    isOnGitHub,
    /** The name in the MCP registry, which asks for a proof that the account or the domain is the publisher's. */
    serverName: isOnGitHub
      ? `io.github.${owner}/${title}`
      : `${url.hostname.split(".").reverse().join(".")}/${title}`,
    /** The image in the repository's container registry; elsewhere the name without a registry, for whoever builds it. */
    image: isOnGitHub ? `ghcr.io/${owner}/${title}`.toLowerCase() : "skills-mcp",
  };
}
