# syntax=docker/dockerfile:1
# A team server as a container; docs/how-to/team.md says how to run it. `npm run check:image` runs these steps without an engine.

# Both bases by their exact version. The release workflow adds the digests that the registry has for them.
FROM node:22.23.3-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No dependency needs an install script.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# What users install: a bundle that needs no node_modules.
RUN npm run build \
 && npm pack --ignore-scripts --silent --pack-destination /tmp \
 && mkdir /package \
 && tar -xzf /tmp/skills-mcp-*.tgz -C /package --strip-components=1

FROM debian:bookworm-20260824-slim
# A release adds its version, its source and its name in the MCP registry.
LABEL org.opencontainers.image.title="skills-mcp" \
      org.opencontainers.image.description="One MCP server that finds every Agent Skill on the machine and serves it to any agent." \
      org.opencontainers.image.licenses="MIT"
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates git libstdc++6 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --home-dir /var/lib/skills-mcp --create-home --shell /usr/sbin/nologin skills
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /package /opt/skills-mcp
RUN ln -s /opt/skills-mcp/dist/cli.js /usr/local/bin/skills-mcp
ENV HOME=/var/lib/skills-mcp NODE_ENV=production
# A number, so that Kubernetes can see that it is not root.
USER 10001:10001
WORKDIR /var/lib/skills-mcp
# Repositories, caches and usage. Everything else may be read-only, but for /tmp.
VOLUME /var/lib/skills-mcp
EXPOSE 4700
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4700/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini reaps what scripts leave behind, and passes signals on.
ENTRYPOINT ["tini", "--", "skills-mcp"]
CMD ["serve", "--host", "0.0.0.0", "--token-file", "/run/secrets/tokens"]
