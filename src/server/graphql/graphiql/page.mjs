// The page around GraphiQL: signs in, stores the tokens of this tab, renews them, and sends the access token with every operation.
// @ts-nocheck -- runs in a browser, whose types are not the service's
/* oxlint-disable typescript/no-unsafe-return, typescript/no-unsafe-argument, typescript/no-base-to-string -- without types of a browser */
/* global YogaGraphiQL, document, localStorage, sessionStorage, location */

/** @typedef {{ accessToken: string, refreshToken: string | null, expiresAt: number | null, lockedAt?: string | null }} Tokens */

const storageKey = 'sidecar-tokens'
/** @template {Element} Kind @param {string} selector @param {new () => Kind} kind @returns {Kind} */
function one(selector, kind) {
  const element = document.querySelector(selector)
  if (element instanceof kind) return element
  throw new Error(`no ${selector} on the page`)
}

const signIn = one('#sign-in', HTMLFormElement)
const tokenField = one('#token', HTMLInputElement)
const status = one('#status', HTMLOutputElement)
const workspaceUrl = document.body.dataset['workspaceUrl'] ?? ''

/** @type {Tokens | null} */
let tokens = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
const send = globalThis.fetch.bind(globalThis)

/** The schema may differ between accounts: GraphiQL reads it again. */
function readSchemaAgain() {
  document.querySelector('#graphiql button[aria-label^="Re-fetch"]')?.click()
}

/** @param {string} text @param {'error' | 'info'} kind */
function showStatus(text, kind = 'info') {
  status.textContent = text
  status.dataset['kind'] = kind
}

/** @param {Tokens | null} next */
function storeTokens(next) {
  tokens = next
  if (next) sessionStorage.setItem(storageKey, JSON.stringify(next))
  else sessionStorage.removeItem(storageKey)
  tokenField.value = next?.accessToken ?? ''
}

/** @param {string} path @param {string} query @param {{ variables?: Record<string, unknown>, token?: string }} options */
async function request(path, query, { variables = {}, token } = {}) {
  const response = await send(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  })
  const answer = await response.json()
  const [error] = answer.errors ?? []
  if (!answer.data) throw new Error(error?.message ?? 'There was no answer', { cause: error?.extensions?.code })
  return answer.data
}

const sessionTokens = 'tokens { accessToken { token expiresAt } refreshToken { token } }'

/** @param {{ accessToken: { token: string, expiresAt: string }, refreshToken: { token: string } }} given @returns {Tokens} */
function tokensOf({ accessToken, refreshToken }) {
  return { accessToken: accessToken.token, refreshToken: refreshToken.token, expiresAt: Date.parse(accessToken.expiresAt) }
}

/** Like every client: an agent gets the one session, which this page renews and ends. */
async function signInAs({ email, password, workspace }) {
  const { agentLogin } = await request(
    '/graphql',
    `mutation SignIn($input: AgentLoginInput!) { agentLogin(input: $input) { ${sessionTokens} session { lockedAt } } }`,
    { variables: { input: { email, password, workspace } } },
  )
  storeTokens({ ...tokensOf(agentLogin.tokens), lockedAt: agentLogin.session?.lockedAt ?? null })
}

/** In the sandbox an agent who forgot to sign out, in this or another tab, takes the own session over. */
async function takeOver({ email, password, workspace }) {
  const origin = workspaceUrl.replace('{workspace}', workspace)
  const login = await request(
    '/metadata',
    `mutation SignIn($email: String!, $password: String!, $origin: String!) {
      getLoginTokenFromCredentials(email: $email, password: $password, origin: $origin) { loginToken { token } }
    }`,
    { variables: { email, password, origin } },
  )
  const { exchangeLoginToken } = await request(
    '/graphql',
    `mutation Exchange($input: LoginTokenInput!) { exchangeLoginToken(input: $input) { ${sessionTokens} } }`,
    { variables: { input: { loginToken: login.getLoginTokenFromCredentials.loginToken.token, workspace } } },
  )
  const own = tokensOf(exchangeLoginToken.tokens)
  const start = 'mutation { startAgentSession(takeOver: true) { session { lockedAt } } }'
  const { startAgentSession } = await request('/graphql', start, { token: own.accessToken })
  storeTokens({ ...own, lockedAt: startAgentSession.session.lockedAt })
}

async function renewInTime() {
  if (!tokens?.refreshToken || !tokens.expiresAt || tokens.expiresAt - Date.now() > 30_000) return
  const before = tokens
  const { refreshToken } = before
  try {
    const { refreshTokens } = await request(
      '/graphql',
      `mutation Renew($token: String!) { refreshTokens(refreshToken: $token) { ${sessionTokens} } }`,
      { variables: { token: refreshToken } },
    )
    if (tokens === before) storeTokens({ ...before, ...tokensOf(refreshTokens.tokens) })
  } catch {
    if (tokens !== before) return
    storeTokens(null)
    showStatus('The session has ended: sign in again.', 'error')
  }
}

/** @param {{ email: string, password: string, workspace: string }} account @param {(account: object) => Promise<void>} start */
async function beginAs(account, start = signInAs) {
  showStatus('Signing in …')
  storeTokens(null)
  try {
    await start(account)
    one('#sign-in [name=password]', HTMLInputElement).value = ''
    showStatus(`Signed in as ${account.email}.`)
    readSchemaAgain()
  } catch (error) {
    if (demo && start !== takeOver && error.cause === 'CONFLICT') return beginAs(account, takeOver)
    showStatus(error instanceof Error ? error.message : String(error), 'error')
  }
}

signIn.addEventListener('submit', (event) => {
  event.preventDefault()
  const given = Object.fromEntries(new FormData(signIn))
  const account = { email: String(given['email']), password: String(given['password']), workspace: String(given['workspace']) }
  void endSession().then(() => beginAs(account))
})

/** In the sandbox, a button for each role. */
const demo = JSON.parse(document.body.dataset['demo'] ?? 'null')
for (const [role, email] of Object.entries(demo?.accounts ?? {})) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = `Sign in as ${role}`
  button.addEventListener('click', () => void endSession().then(() => beginAs({ ...demo, email })))
  one('#demo', HTMLElement).append(button)
  one('#demo', HTMLElement).hidden = false
}

/** An agent's session lasts an hour after its last renewal. */
setInterval(async () => {
  await renewInTime()
  const before = tokens
  if (!before?.lockedAt) return
  const { lockedAt, accessToken } = before
  const renew = 'mutation Renew($lockedAt: DateTime) { heartbeat(lockedAt: $lockedAt) { expiresAt } }'
  await request('/graphql', renew, { variables: { lockedAt }, token: accessToken }).catch((error) => {
    // After any other error the session lives on, and the next renewal may succeed.
    if (tokens !== before || !['NOT_FOUND', 'CONFLICT'].includes(error.cause)) return
    storeTokens({ ...before, lockedAt: null })
    showStatus(error.message, 'error')
  })
}, 300_000)

/** Gives the agent's session back. It would end by itself, so an error needs no attention. */
async function endSession() {
  if (!tokens?.lockedAt) return
  await renewInTime()
  const { lockedAt, accessToken: token } = tokens ?? {}
  const end = 'mutation End($lockedAt: DateTime) { agentLogout(lockedAt: $lockedAt) { released } }'
  if (token) await request('/graphql', end, { variables: { lockedAt }, token }).catch(() => null)
}

tokenField.addEventListener('change', async () => {
  const token = tokenField.value.trim().replace(/^Bearer\s+/i, '')
  await endSession()
  storeTokens(token === '' ? null : { accessToken: token, refreshToken: null, expiresAt: null })
  showStatus(token === '' ? 'Not signed in: only public fields answer.' : 'The token is used for every operation.')
  readSchemaAgain()
})
one('#token-form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault())
one('#sign-out', HTMLButtonElement).addEventListener('click', async () => {
  await endSession()
  storeTokens(null)
  showStatus('Not signed in: only public fields answer.')
  readSchemaAgain()
})

/** GraphiQL asks by the page's own fetch. A header set in its editor wins over the token of the form. */
globalThis.fetch = async (url, init = {}) => {
  await renewInTime()
  const headers = new Headers(init.headers)
  if (tokens && !headers.has('authorization')) headers.set('authorization', `Bearer ${tokens.accessToken}`)
  return send(url, { ...init, headers })
}

globalThis.MonacoEnvironment = {
  globalAPI: false,
  /** @param {string} _module @param {string} label */
  getWorkerUrl: (_module, label) => `/graphql/assets/worker-${label}.js`,
}

/** GraphiQL looks for the tab of the query that it stored last, and adds an empty one if nothing was typed: then no query is stored. */
function storeShownQuery() {
  const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}')
  const shown = tabs?.[activeTabIndex]
  for (const name of ['query', 'variables']) if (shown?.[name]) localStorage.setItem(`graphiql:${name}`, shown[name])
}

storeShownQuery()
tokenField.value = tokens?.accessToken ?? ''
if (tokens) showStatus('Signed in from before, in this tab.')
YogaGraphiQL.renderYogaGraphiQL(one('#graphiql', HTMLElement), {
  endpoint: '/graphql',
  title: 'Call-center sidecar',
  // Of a first visit; after that GraphiQL shows those of the last one.
  defaultTabs: JSON.parse(document.body.dataset['tabs'] ?? '[]').map((query) => ({ query })),
  subscriptionsProtocol: 'GRAPHQL_SSE',
  // A token in the header editor must not stay in the browser's storage.
  shouldPersistHeaders: false,
})
