import { fileURLToPath } from 'node:url'
import { defineConfig, loadEnv, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
/** React Aria has no Hindi; its few own texts are English then. */
const otherLanguages = /\/(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/

/** The first screen of an agent. What these import is one chunk; they stay apart, because the page imports them by their own names. */
const firstScreen = ['app/router.tsx', 'app/shell.tsx', 'areas/desk/desk-screen.tsx'].map(here)
let ofFirstScreen: ReadonlySet<string> | undefined

type Modules = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null }

/** What these modules import, directly or not. */
function importsOf(ids: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(ids)
  // What is added on the way is visited too.
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  for (const id of ids) found.delete(id)
  return found
}

/** What the shell loads after the first screen, and other screens need: controls, and the phone without SIP. */
const parts = [
  'console/data',
  'console/i18n',
  'console/phone',
  'console/session',
  'console/state',
  'console/ui',
  'react-aria',
  'react-aria-components',
  'react-stately',
  '@internationalized',
]
/** Loaded by themselves: SIP when there is a phone, the socket with the first stream. */
const loadedAlone = ['/sip-phone.ts', '/watched-socket.ts', '/web-socket.ts']

function isPart(id: string): boolean {
  return parts.some((folder) => id.includes(`/${folder}/`)) && !loadedAlone.some((file) => id.endsWith(file))
}

/** In development the service is elsewhere: its settings for the page are copied from its own page. */
function settingsOf(service: string): Plugin {
  const settings = /<meta name="console-settings" content="[^"]{0,4000}"/
  return {
    name: 'settings-of-the-service',
    apply: 'serve',
    async transformIndexHtml(html) {
      const page = await fetch(`${service}/console`).then((answer) => answer.text())
      return html.replace(settings, settings.exec(page)?.[0] ?? '$&')
    },
  }
}

const logCall = /^ *logger\w*\.(?:debug|warn|error)\(/

/** Without the statements that write to the log: each begins a line, and ends where a line ends with `);`. */
function withoutLog(code: string): string {
  let isLog = false
  const kept = code.split('\n').map((line) => {
    isLog ||= logCall.test(line)
    const shown = isLog ? ';' : line
    if (line.endsWith(');')) isLog = false
    return shown
  })
  return kept.join('\n')
}

/** JsSIP without its log, which nobody sees and which has whole messages, and of its `package.json` only what it sends. */
function leanSip(): Plugin {
  return {
    name: 'lean-sip',
    enforce: 'pre',
    transform: {
      filter: { id: ['**/node_modules/jssip/lib/**', '**/node_modules/jssip/package.json', '**/node_modules/debug/src/browser.js'] },
      handler(code, id) {
        if (id.endsWith('/package.json')) return `${code.slice(0, code.indexOf(',\n\t"homepage"'))}}`
        if (id.endsWith('/Logger.js')) return 'module.exports = class { debug() {} warn() {} error() {} }'
        return id.endsWith('/browser.js') ? 'module.exports = () => () => {}' : withoutLog(code)
      },
    },
  }
}

/** `npm run build` and `npm run console:dev`. The service's address in development: CONSOLE_SERVICE. */
export default defineConfig(({ mode }) => {
  const target = loadEnv(mode, here('.'), 'CONSOLE_')['CONSOLE_SERVICE'] ?? 'http://127.0.0.1:4100'
  const service = { target, ws: true }
  return {
    root: here('.'),
    base: '/console/',
    publicDir: here('public'),
    cacheDir: here('../../../tests/.cache/vite'),
    resolve: { alias: { '@call-center-sidecar/client': here('../../../packages/client/src/client.ts') } },
    plugins: [
      settingsOf(target),
      leanSip(),
      { name: 'english-only', load: { filter: { id: otherLanguages }, handler: () => 'export default {}' } },
    ],
    build: {
      outDir: here('../../../dist/console'),
      emptyOutDir: true,
      target: ['chrome119', 'edge119', 'firefox128', 'safari16.4'],
      manifest: 'manifest.json',
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      assetsInlineLimit: 0,
      // Many small files compress badly: together these are 45 KiB less.
      cssCodeSplit: false,
      rolldownOptions: {
        output: {
          // Few chunks: a small file compresses badly, and each import names the other file by its hash. 78 chunks were 28 KiB more.
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'start', tags: ['$initial'] },
              { name: (id, modules) => ((ofFirstScreen ??= importsOf(firstScreen, modules)).has(id) ? 'first' : null) },
              ...['administration', 'supervisor', 'recordings'].map((name) => ({
                name,
                // The drawing library comes with the first chart.
                test: (id: string) => id.includes(`/areas/${name}/`) && !id.endsWith('/chart/chart.tsx'),
              })),
              { name: 'parts', test: isPart },
            ],
          },
        },
      },
    },
    server: { port: 5173, proxy: { '/graphql': service, '/metadata': service, '/auth': service, '/api': service } },
  }
})
