/** A secret that somebody brings to the service, and the request that brings it. */
export type BroughtSecret = {
  readonly name: string
  readonly value: string
  readonly as: 'manager' | 'agent' | 'nobody'
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** Beside those of the sender. */
  readonly headers?: Readonly<Record<string, string>>
}

let planted = 0
const plant = (word: string): string => `planted-${word}-${(planted += 1)}-7c1f9b`

/** In the form of the platform's tokens: others are refused without asking it. */
function plantToken(type: 'REFRESH' | 'ACCESS'): string {
  const claims = { sub: plant('token'), type, workspaceId: '20202020-0000-4000-8000-000000000003', exp: 4_102_444_800 }
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}.${Buffer.from(claims.sub).toString('base64url')}`
}

type Request = Omit<BroughtSecret, 'name' | 'value' | 'body'> & { readonly body: (value: string) => unknown }
const secret = (name: string, { body, ...request }: Request, value = plant(name.replaceAll(' ', '-'))): BroughtSecret => ({
  name,
  value,
  ...request,
  body: body(value),
})
const post = (path: string, as: Request['as'], body: (value: string) => unknown): Request => ({ method: 'POST', path, as, body })

/** An operation of the platform with the secret as a variable, as its own frontend sends it. */
function operation(name: string, call: string, as: Request['as'] = 'nobody'): BroughtSecret {
  const query = `mutation ($secret: String!) { ${call} }`
  return secret(
    name,
    post('/metadata', as, (value) => ({ query, variables: { secret: value } })),
  )
}

const email = 'email: "planted.person@demo.example"'
const origin = 'origin: "http://demo.localhost"'
const account = { email: 'planted.person@demo.example', workspace: 'demo' }
const bearer = (name: string, value: string): BroughtSecret => {
  const query = 'query Small { leads(first: 1) { edges { node { id } } } }'
  return { name, value, method: 'POST', path: '/graphql', as: 'nobody', headers: { authorization: `Bearer ${value}` }, body: { query } }
}
const test = (name: string, section: string, document: (value: string) => unknown): BroughtSecret =>
  secret(name, post(`/api/config/${section}/test`, 'manager', document))

/** What users bring: to the service's own operations, and to those of the platform that go through it. */
const ofUsers: readonly BroughtSecret[] = [
  secret(
    'password at the sign-in',
    post('/auth/login', 'nobody', (password) => ({ ...account, password })),
  ),
  secret(
    'password at the sign-in by GraphQL',
    post('/graphql', 'nobody', (password) => ({
      query: 'mutation ($input: AgentLoginInput!) { agentLogin(input: $input) { role } }',
      variables: { input: { ...account, password } },
    })),
  ),
  secret(
    'login token',
    post('/auth/tokens', 'nobody', (loginToken) => ({ loginToken, workspace: 'demo' })),
  ),
  secret(
    'refresh token',
    post('/auth/refresh', 'nobody', (refreshToken) => ({ refreshToken })),
    plantToken('REFRESH'),
  ),
  secret(
    'refresh token by GraphQL',
    post('/graphql', 'nobody', (value) => ({
      query: 'mutation ($secret: String!) { refreshTokens(refreshToken: $secret) { tokens { accessToken { token } } } }',
      variables: { secret: value },
    })),
    plantToken('REFRESH'),
  ),
  operation('password of the platform', `getLoginTokenFromCredentials(${email}, password: $secret, ${origin}) { loginToken { token } }`),
  operation('password of an account', `signIn(${email}, password: $secret) { tokens { accessOrWorkspaceAgnosticToken { token } } }`),
  operation('password of a new account', `signUp(${email}, password: $secret) { tokens { accessOrWorkspaceAgnosticToken { token } } }`),
  operation('invite link', `signUpInWorkspace(${email}, password: "x", workspaceInviteHash: $secret) { loginToken { token } }`),
  operation(
    'personal invitation',
    `signUpInWorkspace(${email}, password: "x", workspacePersonalInviteToken: $secret) { loginToken { token } }`,
  ),
  operation('captcha token', `signIn(${email}, password: "x", captchaToken: $secret) { tokens { refreshToken { token } } }`),
  operation('reset token', 'updatePasswordViaResetToken(newPassword: "x", passwordResetToken: $secret) { success }'),
  operation('new password', 'updatePasswordViaResetToken(newPassword: $secret, passwordResetToken: "x") { success }'),
  operation('renewed token', 'renewToken(appToken: $secret) { tokens { refreshToken { token } } }'),
  operation('one-time code', `getAuthTokensFromOTP(loginToken: "x", otp: $secret, ${origin}) { tokens { refreshToken { token } } }`),
  operation('token of the second factor', `initiateOTPProvisioning(loginToken: $secret, ${origin}) { uri }`),
  operation(
    'e-mail verification',
    `verifyEmailAndGetLoginToken(${email}, emailVerificationToken: $secret, ${origin}) { loginToken { token } }`,
  ),
  operation(
    'login token of the platform',
    `getAuthTokensFromLoginToken(loginToken: $secret, ${origin}) { tokens { refreshToken { token } } }`,
  ),
  operation('application token', 'renewApplicationToken(applicationRefreshToken: $secret) { applicationRefreshToken { token } }'),
  bearer('access token', plantToken('ACCESS')),
  bearer('API key as a token', plant('api-key')),
]

/** What admins bring. */
const ofAdmins: readonly BroughtSecret[] = [
  operation(
    'webhook secret of the platform',
    'createWebhook(input: { targetUrl: "https://a.example", operations: [], secret: $secret }) { id }',
    'manager',
  ),
  operation(
    'client secret of a sign-on',
    'createOIDCIdentityProvider(input: { name: "x", issuer: "https://a.example", clientID: "x", clientSecret: $secret }) { id }',
    'manager',
  ),
  operation(
    'password of a mailbox',
    'saveImapSmtpCaldavAccount(handle: "x", connectionParameters: { IMAP: { host: "a.example", port: 993, password: $secret } }) { success }',
    'manager',
  ),
  operation('licence key', 'setEnterpriseKey(enterpriseKey: $secret) { isValid }', 'manager'),
  test('telephony key', 'telephony', (apiKey) => ({ provider: { id: 'ozonetel', apiKey } })),
  test('outbound key', 'telephony', (apiKey) => ({ outbound: outbound({ apiKey }) })),
  test('outbound token', 'telephony', (apiToken) => ({ outbound: outbound({ apiToken }) })),
  test('API key of the platform', 'platform', (apiKey) => ({ apiKey })),
  secret('phone password', {
    method: 'POST',
    path: '/api/team/members',
    as: 'manager',
    body: (sipPassword) => member('sip', { sipExtension: '60411', sipPassword }),
  }),
  secret('agent password at the provider', {
    method: 'POST',
    path: '/api/team/members',
    as: 'manager',
    body: (providerAgentPassword) => member('provider', { providerAgentId: 'agent1', providerAgentPassword }),
  }),
  secret('password of the default agent', {
    method: 'PUT',
    path: '/api/config/telephony',
    as: 'manager',
    body: (defaultAgentPassword) => ({ defaultAgentId: 'agent2', defaultAgentPassword }),
  }),
]

function outbound(own: object): object {
  return { id: 'exotel', apiKey: 'x', apiToken: 'x', ...own }
}

function member(name: string, agent: object): object {
  return { email: `planted.${name}@demo.example`, firstName: 'New', lastName: 'Agent', role: 'USER', agent }
}

export const broughtSecrets: readonly BroughtSecret[] = [...ofUsers, ...ofAdmins]
