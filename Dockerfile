# The service's sources run as they are. Only what browsers load is built, with the development packages.
FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The lock file names the workspace of the client. It does not run here, so its link is removed.
COPY packages/client/package.json packages/client/
# The optional dependencies bring a Node 24 for machines without one; this image has it.
RUN npm ci --ignore-scripts --omit=dev --omit=optional
RUN rm -r node_modules/@call-center-sidecar

FROM node:24.21.0-trixie-slim AS browser
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY packages/client packages/client
RUN npm ci --ignore-scripts
COPY src src
RUN node src/commands/build.ts

FROM node:24.21.0-trixie-slim
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=browser /app/dist dist
COPY package.json ./
COPY schema schema
COPY src src
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4100 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 4100
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health', { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./src/commands/require-node.mjs", "--max-semi-space-size=8", "--v8-pool-size=1", "src/main.ts"]
