# Debian, because the bundled PostgreSQL needs glibc.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY libs/signalr/package.json ./libs/signalr/
COPY web/package.json ./web/
RUN npm ci
COPY . .
RUN npm run build
RUN npm run web:build
RUN npm run agent:bundle
RUN npm prune --omit=dev

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/web/dist ./web/dist
COPY --from=build /app/agent-bundles ./agent-bundles
RUN mkdir data && chown node:node data
USER node
VOLUME /app/data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=8s --start-period=60s --retries=3 CMD ["node", "dist/src/system/health/probe.js"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "dist/service/main.js"]
