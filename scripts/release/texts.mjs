// What a release says to people: how to install it (for the README and the page of the release), and what its publisher uploads where.
import { installLinks, PLUGIN_BRANCH, PRODUCT } from "./manifests.mjs";

export function installText(identity) {
  const { name, version, page, image, isOnGitHub } = identity;
  const links = installLinks(identity);
  // Elsewhere nobody knows yet where the files will be.
  const downloads = isOnGitHub ? `${page}/releases/download/v${version}/` : "";
  const action = isOnGitHub
    ? `
## In CI and before a commit

\`\`\`yaml
# .github/workflows/skills.yml
- uses: ${page.slice("https://github.com/".length)}@v${version}
  with: { command: validate }
\`\`\`

\`\`\`yaml
# .pre-commit-config.yaml
repos:
  - repo: ${page}
    rev: v${version}
    hooks: [{ id: skills-validate }, { id: skills-audit }]
\`\`\`
`
    : "";
  return `# Install ${PRODUCT} ${version}

[Install in Cursor](${links.cursorPage}) · [Install in VS Code](${links.vscodePage})

\`\`\`html
<a href="${links.cursor.replaceAll("&", "&amp;")}">Install in Cursor</a>
<a href="${links.vscode}">Install in VS Code</a>
\`\`\`

| where | how |
|---|---|
| a terminal | \`npm install -g ${name}@${version}\`, then \`${PRODUCT} connect\` |
| Claude Code | \`claude plugin marketplace add ${page}.git#${PLUGIN_BRANCH}\`, then \`claude plugin install ${PRODUCT}@${PRODUCT}\` |
| Codex | \`codex plugin marketplace add ${page}.git --ref ${PLUGIN_BRANCH}\`, then \`codex plugin add ${PRODUCT}@${PRODUCT}\` |
| Gemini CLI | \`gemini extensions install ${page}.git --ref ${PLUGIN_BRANCH}\` |
| Claude Desktop | open [${PRODUCT}-${version}.mcpb](${downloads}${PRODUCT}-${version}.mcpb) |
| a container | \`docker run ${image}:${version}\` |
| Kubernetes | \`helm install skills ${downloads}${PRODUCT}-chart-${version}.tgz\` |

The first line of a file of settings can name its schema, for editors:

\`\`\`yaml
# yaml-language-server: $schema=${downloads}config.schema.json
\`\`\`
${action}`;
}

/** `files` are the names of the single files in the folder. */
export function uploadText(identity, { tarball, files, folder }) {
  const { name, version, page, image, serverName, isOnGitHub } = identity;
  return `Release ${version} of ${name} is in ${folder}. Nothing was uploaded. In this order:

1. npm: npm publish ${tarball} --access public
   (the release workflow does it with npm's trusted publishing, without a stored token)
2. The page of the release v${version} at ${page}, with the notes of \`npm run release -- notes\`: ${files.join(", ")}
3. The branch ${PLUGIN_BRANCH} of ${page}: the content of plugins/
   (Claude Code, Codex and Gemini CLI install from there)
4. The image, from the root of the repository: docker build -f ${folder}/Dockerfile -t ${image}:${version} .
   Then push it${isOnGitHub ? "" : ", by the name that a registry of yours asks for"}: docker push ${image}:${version}
5. The MCP registry, as ${serverName}, once npm has the package: mcp-publisher publish, in the folder with server.json
6. install.md: how people install it, for the README and the page of the release

To check the files: sha256sum -c SHA256SUMS
`;
}
