// The page of GraphiQL: signs in, keeps the tokens of this tab, renews them, and sends the access token with every operation.
// @ts-nocheck -- runs in a browser, whose types are not the service's
/* oxlint-disable typescript/no-unsafe-return, typescript/no-unsafe-argument, typescript/no-base-to-string -- without types of a browser */
/* global React, ReactDOM, GraphiQL, document, sessionStorage, location, fetch */

/** @typedef {{ accessToken: string, refreshToken: string | null, expiresAt: number | null }} Tokens */

const storageKey = 'sidecar-tokens'
const starter = `# Sign in above, then run this: one query, two sides.
# "me" is the sidecar's, "leads" the workspace's own.
query Day {
  me {
    role
    user { firstName lastName }
  }
  leads(first: 5) {
    edges { node { id name } }
  }
}
`

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
/** @type {() => void} */
let onSchemaChange = () => {}

/** @param {string} text @param {'error' | 'info'} kind */
function say(text, kind = 'info') {
  status.textContent = text
  status.dataset['kind'] = kind
}

/** @param {Tokens | null} next */
function keep(next) {
  tokens = next
  if (next) sessionStorage.setItem(storageKey, JSON.stringify(next))
  else sessionStorage.removeItem(storageKey)
  tokenField.value = next?.accessToken ?? ''
}

/** @param {string} path @param {string} query @param {Record<string, unknown>} variables */
async function ask(path, query, variables) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const answer = await response.json()
  if (!answer.data) throw new Error(answer.errors?.[0]?.message ?? 'There was no answer')
  return answer.data
}

const sessionTokens = 'tokens { accessToken { token expiresAt } refreshToken { token } }'

/** @param {{ accessToken: { token: string, expiresAt: string }, refreshToken: { token: string } }} given @returns {Tokens} */
function tokensOf({ accessToken, refreshToken }) {
  return { accessToken: accessToken.token, refreshToken: refreshToken.token, expiresAt: Date.parse(accessToken.expiresAt) }
}

// By the platform's own sign-in: `agentLogin` would take the agent's one session.
async function signInAs({ email, password, workspace }) {
  const origin = workspaceUrl.replace('{workspace}', workspace)
  const login = await ask(
    '/metadata',
    `mutation SignIn($email: String!, $password: String!, $origin: String!) {
      getLoginTokenFromCredentials(email: $email, password: $password, origin: $origin) { loginToken { token } }
    }`,
    { email, password, origin },
  )
  const { exchangeLoginToken } = await ask(
    '/graphql',
    `mutation HttpContext($input: LoginTokenInput!) { exchangeLoginToken(input: $input) { ${sessionTokens} } }`,
    { input: { loginToken: login.getLoginTokenFromCredentials.loginToken.token, workspace } },
  )
  keep(tokensOf(exchangeLoginToken.tokens))
}

async function renewInTime() {
  if (!tokens?.refreshToken || !tokens.expiresAt || tokens.expiresAt - Date.now() > 30_000) return
  const { refreshToken } = tokens
  try {
    const { refreshTokens } = await ask(
      '/graphql',
      `mutation Renew($token: String!) { refreshTokens(refreshToken: $token) { ${sessionTokens} } }`,
      {
        token: refreshToken,
      },
    )
    keep(tokensOf(refreshTokens.tokens))
  } catch {
    keep(null)
    say('The session has ended: sign in again.', 'error')
  }
}

signIn.addEventListener('submit', async (event) => {
  event.preventDefault()
  const given = Object.fromEntries(new FormData(signIn))
  say('Signing in …')
  try {
    await signInAs({ email: String(given['email']), password: String(given['password']), workspace: String(given['workspace']) })
    one('#sign-in [name=password]', HTMLInputElement).value = ''
    say(`Signed in as ${String(given['email'])}.`)
    onSchemaChange()
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'error')
  }
})

tokenField.addEventListener('change', () => {
  const token = tokenField.value.trim().replace(/^Bearer\s+/i, '')
  keep(token === '' ? null : { accessToken: token, refreshToken: null, expiresAt: null })
  say(token === '' ? 'Not signed in: only public fields answer.' : 'The token is used for every operation.')
  onSchemaChange()
})
one('#token-form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault())
one('#sign-out', HTMLButtonElement).addEventListener('click', () => {
  keep(null)
  say('Not signed in: only public fields answer.')
  onSchemaChange()
})

const send = GraphiQL.createFetcher({
  url: '/graphql',
  /** @param {string} url @param {RequestInit} init */
  async fetch(url, init) {
    await renewInTime()
    const headers = new Headers(init.headers)
    if (tokens) headers.set('authorization', `Bearer ${tokens.accessToken}`)
    return fetch(url, { ...init, headers })
  },
})

function Page() {
  const [generation, setGeneration] = React.useState(0)
  onSchemaChange = () => setGeneration((before) => before + 1)
  return React.createElement(GraphiQL, { key: generation, fetcher: send, defaultQuery: starter, isHeadersEditorEnabled: false })
}

tokenField.value = tokens?.accessToken ?? ''
if (tokens) say('Signed in from before, in this tab.')
ReactDOM.createRoot(one('#graphiql', HTMLElement)).render(React.createElement(Page))
