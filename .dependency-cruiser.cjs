/** Who may import whom (docs/architecture.md). `tests/check/import-rules.ts` runs these rules and asserts that every module was seen. */
const { Visitor } = require('@swc/core/Visitor.js')

// The visitor that dependency-cruiser walks sources with stops at `using` declarations, which it does not know yet.
const visitStatement = Visitor.prototype.visitStatement
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  statement.decls = this.visitVariableDeclarators(statement.decls)
  return statement
}

/** A feature may import the features that come after it in this list, never one before it. */
const features = [
  'alerts',
  'history',
  'supervision',
  'widget',
  'insights',
  'recordings',
  'team',
  'setup',
  'calls',
  'auth',
  'sessions',
  'doctors',
  'events',
  'configuration',
]

const featureOrder = features.slice(1).map((name, index) => ({
  name: `${name}-imports-only-features-to-its-right`,
  comment: `The order of features: ${features.join(', ')}.`,
  severity: 'error',
  from: { path: `^src/features/${name}/` },
  to: { path: `^src/features/(${features.slice(0, index + 1).join('|')})/` },
}))

/**
 * Of the folders beside each other in one folder, each may import those that come after it in the list, and nothing else there.
 * @param {{ owner: string, parent: string, folders: string[] }} order
 */
function folderOrder({ owner, parent, folders }) {
  return folders.map((name, index) => ({
    name: `${owner}-${name}-imports-only-what-is-below`,
    comment: `The order of the folders in ${parent}: ${folders.join(', ')}.`,
    severity: 'error',
    from: { path: `^${parent}/${name}/` },
    to: { path: `^${parent}/`, pathNot: `^${parent}/(${folders.slice(index).join('|')})/` },
  }))
}

/** Resolvers and stored values are above all rooms. */
const callRooms = [
  'webhooks',
  'live-events',
  'dispositions',
  'transfer',
  'control',
  'dialling',
  'screen-pop',
  'worklist',
  'streams',
  'tracking',
  'reconciliation',
  'unknown-callers',
  'records',
  'missed-calls',
  'worklist-entries',
  'outcomes',
  'agent-state',
  'state',
  'webhook-store',
]

/** `main.tsx` is above all. */
const consoleFolders = ['app', 'areas', 'phone', 'session', 'data', 'ui', 'i18n', 'styles', 'state']

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'kernel-imports-nothing',
      comment: 'Every folder may use the kernel; it imports nothing else of ours.',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^src/', pathNot: '^src/kernel/' },
    },
    {
      name: 'ports-import-only-kernel',
      comment: 'A port is an interface: it imports the kernel, other ports and generated schema types.',
      severity: 'error',
      from: { path: '^src/ports/' },
      to: { path: '^src/', pathNot: '^src/(kernel|ports)/|^src/generated\\.ts$' },
    },
    {
      name: 'access-imports-only-kernel',
      comment: 'access says who acts and what they may do; it imports the kernel and generated schema types.',
      severity: 'error',
      from: { path: '^src/access/' },
      to: { path: '^src/', pathNot: '^src/(kernel|access)/|^src/generated\\.ts$' },
    },
    {
      name: 'features-import-no-layer-above',
      comment: 'A feature imports kernel, ports, access, generated types and features to its right.',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/', pathNot: '^src/(kernel|ports|access|features)/|^src/generated\\.ts$' },
    },
    ...featureOrder,
    ...folderOrder({ owner: 'calls', parent: 'src/features/calls', folders: callRooms }),
    {
      name: 'calls-room-is-in-the-order',
      comment: 'A room that is not in the order above could import any other.',
      severity: 'error',
      from: { path: '^src/features/calls/[^/]+/', pathNot: `^src/features/calls/(${callRooms.join('|')})/` },
      to: {},
    },
    {
      name: 'only-resolvers-use-schema-types',
      comment: 'Use cases have types of their own; resolvers.ts maps them to the schema.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: '/resolvers\\.ts$' },
      to: { path: '^src/generated\\.ts$' },
    },
    {
      name: 'resolvers-are-for-wiring',
      comment: 'Resolvers are called by GraphQL; no feature or provider builds on them.',
      severity: 'error',
      from: { path: '^src/(features|kernel|providers|ports|access)/' },
      to: { path: '^src/features/[^/]+/resolvers\\.ts$' },
    },
    {
      name: 'providers-import-only-ports',
      comment: 'An adapter imports kernel and ports; never a feature, the server, wiring, settings or stand-ins.',
      severity: 'error',
      from: { path: '^src/providers/' },
      to: { path: '^src/', pathNot: '^src/(kernel|ports|providers)/' },
    },
    {
      name: 'no-provider-imports-another',
      comment: 'What adapters of several ports share is beside their folders, or in a folder of its own (redis).',
      severity: 'error',
      from: { path: '^src/providers/([^/]+)/' },
      to: { path: '^src/providers/[^/]+/', pathNot: '^src/providers/($1|redis)/' },
    },
    {
      name: 'no-vendor-imports-another',
      comment: 'Two vendors of one port know nothing of each other.',
      severity: 'error',
      from: { path: '^src/providers/([^/]+)/([^/]+)/' },
      to: { path: '^src/providers/$1/[^/]+/', pathNot: '^src/providers/$1/$2/' },
    },
    {
      name: 'server-imports-no-provider',
      comment: 'The server imports kernel, ports, access, features and generated types.',
      severity: 'error',
      from: { path: '^src/server/' },
      to: { path: '^src/', pathNot: '^src/(kernel|ports|access|features|server)/|^src/generated\\.ts$' },
    },
    {
      name: 'only-app-wires',
      comment: 'The composition root is app.ts with wiring/; only the process, its commands and tests build on it or on settings.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app|main)\\.ts$|^src/(commands|settings|wiring)/' },
      to: { path: '^src/(app|main)\\.ts$|^src/(settings|wiring)/' },
    },
    {
      name: 'main-only-starts',
      comment: 'main.ts imports app, settings, kernel and, in sandbox mode, sandbox.',
      severity: 'error',
      from: { path: '^src/main\\.ts$' },
      to: { path: '^src/', pathNot: '^src/app\\.ts$|^src/(settings|kernel|sandbox)/' },
    },
    {
      name: 'sandbox-imports-nothing-of-the-service',
      comment: 'Stand-ins act for third parties: if they shared code with the service, both sides would share its mistakes.',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: { path: '^src/', pathNot: '^src/sandbox/' },
    },
    {
      name: 'sandbox-for-main-and-tests',
      comment: 'No part of the service depends on a stand-in.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/main\\.ts$|^src/sandbox/' },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'vendor-packages-only-in-providers',
      comment: 'Only providers import clients of brokers, stores and models.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/providers/' },
      to: { path: 'node_modules/(ioredis|kafkajs|@ai-sdk|ai)/' },
    },
    { name: 'no-cycles', comment: 'No file imports itself through others.', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'src-imports-no-tests',
      comment: 'The service runs without its tests.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^tests/' },
    },
    {
      name: 'web-imports-nothing-of-the-service',
      comment: 'Browser code is bundled: it imports nothing of the service.',
      severity: 'error',
      from: { path: '^src/web/([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/web/$1/' },
    },
    ...folderOrder({ owner: 'console', parent: 'src/web/console', folders: consoleFolders }),
    {
      name: 'console-area-imports-no-other',
      comment: 'Areas are loaded on demand, each by itself. What two share goes to a folder below.',
      severity: 'error',
      from: { path: '^src/web/console/areas/([^/]+)/' },
      to: { path: '^src/web/console/areas/[^/]+/', pathNot: '^src/web/console/areas/$1/' },
    },
    {
      name: 'client-imports-nothing-of-the-service',
      comment: 'The typed client runs elsewhere: it imports no package, no built-in module and nothing of the service.',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: { pathNot: '^packages/client/src/' },
    },
    {
      name: 'service-imports-no-package',
      comment: 'The packages are for others. The console is built on the client.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/web/console/' },
      to: { path: '^packages/' },
    },
    {
      name: 'service-imports-no-web',
      comment: 'The service serves browser code as it was built.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/web/' },
      to: { path: '^src/web/' },
    },
    {
      name: 'production-needs-no-development-package',
      comment: 'What runs in production is a dependency, and every import resolves. Browser code and its builder run elsewhere.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/web/|^src/commands/(build(/|\\.ts$)|codegen/)' },
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
