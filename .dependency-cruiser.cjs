/** Who may import whom: the walls of the house. `tests/check/walls.ts` runs them and asserts that every module was seen. */
const { Visitor } = require('@swc/core/Visitor.js')

// The visitor that dependency-cruiser walks sources with stops at `using` declarations, which it does not know yet.
const visitStatement = Visitor.prototype.visitStatement
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  statement.decls = this.visitVariableDeclarators(statement.decls)
  return statement
}

const features = 'auth|sessions|calls|recordings|insights|team|setup|configuration|doctors|widget|supervision|events'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'kernel-knows-nobody',
      comment: 'kernel holds words that every folder may use; it imports nothing else of ours.',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^src/', pathNot: '^src/kernel/' },
    },
    {
      name: 'features-know-no-doors-or-vendors',
      comment: 'A feature imports kernel and features. Only its resolvers.ts takes the generated types from server.',
      severity: 'error',
      from: { path: `^src/(${features})/`, pathNot: '/resolvers\\.ts$' },
      to: { path: '^src/', pathNot: `^src/(kernel|${features})/` },
    },
    {
      name: 'resolvers-know-types-only',
      comment: 'resolvers.ts turns schema fields into use-case calls; from server it takes only the generated types.',
      severity: 'error',
      from: { path: `^src/(${features})/resolvers\\.ts$` },
      to: { path: '^src/', pathNot: `^src/(kernel|${features})/|^src/server/graphql/generated\\.ts$` },
    },
    {
      name: 'resolvers-belong-to-the-doors',
      comment: 'Resolvers are called by the doors; no feature builds on them.',
      severity: 'error',
      from: { path: `^src/(${features}|kernel|providers)/` },
      to: { path: `^src/(${features})/resolvers\\.ts$` },
    },
    {
      name: 'providers-know-ports-only',
      comment: 'An adapter imports kernel and the ports of features; never doors, wiring, settings or stand-ins.',
      severity: 'error',
      from: { path: '^src/providers/' },
      to: { path: '^src/', pathNot: `^src/(kernel|providers|${features})/` },
    },
    {
      name: 'no-vendor-knows-another',
      comment: 'What adapters of several ports share stands beside their folders, or in a folder of its own (redis).',
      severity: 'error',
      from: { path: '^src/providers/([^/]+)/' },
      to: { path: '^src/providers/[^/]+/', pathNot: '^src/providers/($1|redis)/' },
    },
    {
      name: 'no-vendor-knows-its-neighbour',
      comment: 'Two vendors of one port know nothing of each other.',
      severity: 'error',
      from: { path: '^src/providers/([^/]+)/([^/]+)/' },
      to: { path: '^src/providers/$1/[^/]+/', pathNot: '^src/providers/$1/$2/' },
    },
    {
      name: 'doors-know-no-vendors',
      comment: 'A door imports kernel, features and server.',
      severity: 'error',
      from: { path: '^src/server/' },
      to: { path: '^src/', pathNot: `^src/(kernel|server|${features})/` },
    },
    {
      name: 'only-app-wires',
      comment: 'The composition root is app.ts with wiring/; nothing but the process, its commands and tests builds on it or on settings.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app|main|settings)\\.ts$|^src/(commands|sandbox|settings|wiring)/' },
      to: { path: '^src/(app|main|settings)\\.ts$|^src/(settings|wiring)/' },
    },
    {
      name: 'main-only-starts',
      comment: 'main.ts imports app, settings, kernel and, for the sandbox mode, sandbox.',
      severity: 'error',
      from: { path: '^src/main\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(app|settings)\\.ts$|^src/(kernel|sandbox)/' },
    },
    {
      name: 'sandbox-is-a-world-outside',
      comment: 'Stand-ins play third parties: they know kernel alone, so that nothing of ours proves itself.',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: { path: '^src/', pathNot: '^src/(sandbox|kernel)/|^src/settings\\.ts$' },
    },
    {
      name: 'sandbox-for-main-and-tests',
      comment: 'No part of the service leans on a stand-in.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/main\\.ts$|^src/sandbox/' },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'vendors-packages-stay-with-providers',
      comment: 'Clients of brokers, stores and models are known to providers alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/providers/' },
      to: { path: 'node_modules/(ioredis|kafkajs|@ai-sdk|ai)/' },
    },
    {
      name: 'no-cycles',
      comment: 'Data enters and leaves; it never walks in a circle.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'src-knows-no-tests',
      comment: 'The service runs without its tests.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^tests/' },
    },
    {
      name: 'a-page-stands-alone',
      comment: 'What runs in a browser is bundled: it imports nothing of the service, and the service nothing of it.',
      severity: 'error',
      from: { path: '^src/server/widget/page/' },
      to: { path: '^src/', pathNot: '^src/server/widget/page/' },
    },
    {
      name: 'no-service-builds-on-a-page',
      comment: 'What runs in a browser is served as it was built.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/server/widget/page/' },
      to: { path: '^src/server/widget/page/' },
    },
    {
      name: 'production-needs-no-development-package',
      comment: 'What runs in production is a dependency, and everything imported can be found. A page and its builder run nowhere there.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/server/widget/page/|^src/commands/build-widget\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
