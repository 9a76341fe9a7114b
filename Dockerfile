# syntax=docker/dockerfile:1

# Node 24, because Node 20, the oldest version that works, gets no security fixes any more. For builds that can be
# repeated, pin the digest. test/integration/dockerfile.test.ts does what each stage does, without an engine.

# Compiles the sources. Nothing of this stage but dist/ reaches the image.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src ./src
COPY backends ./backends
RUN npm run build

# Production dependencies alone.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="mcp-switchboard" \
      org.opencontainers.image.licenses="MIT"
# PID 1 has to reap the orphans of backends; Node does not, tini does.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# What the backend `notes` shows by default; the compiler copies no Markdown.
COPY backends/notes/sample ./backends/notes/sample
COPY package.json LICENSE ./
# By name: what else lies in that folder may be somebody's configuration, with secrets.
COPY config/gateway.json config/gateway.schema.json ./config/
# A number, so that Kubernetes can verify runAsNonRoot.
USER 10001:10001
STOPSIGNAL SIGTERM
# The admin address of config/gateway.json; with another configuration, give the container a check of its own.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8809/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "node", "dist/src/main.js"]
CMD ["serve", "--config", "config/gateway.json"]
