export type MisplacedSecret = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Its error names a field that the client has named. */
  readonly isNamed?: true
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const graphql = (body: object): MisplacedSecret => ({ method: 'POST', path: '/graphql', body: JSON.stringify(body) })

/** Requests that have the secret where none belongs: in the path, the query, headers, of another type, in broken JSON, in a body that is too large. */
export function misplaced(secret: string): readonly MisplacedSecret[] {
  const text = encodeURIComponent(secret)
  return [
    { method: 'GET', path: `/api/calls/${text}` },
    { method: 'POST', path: `/api/calls/${text}/control`, body: '{"action":"HOLD"}' },
    { method: 'GET', path: `/api/recordings/${text}/analysis` },
    { method: 'GET', path: `/nowhere/${text}?token=${text}` },
    { method: 'POST', path: `/hooks/telephony/ozonetel/${text}`, body: JSON.stringify({ secret }) },
    { method: 'GET', path: `/api/calls/missed?first=${text}&apiKey=${text}` },
    { method: 'GET', path: '/api/sessions', headers: { authorization: `Basic ${Buffer.from(`user:${secret}`).toString('base64')}` } },
    { method: 'GET', path: '/api/sessions', headers: { 'x-api-key': secret, cookie: `session=${text}`, 'proxy-authorization': secret } },
    { method: 'GET', path: '/api/widget/config', headers: { 'x-widget-key': secret, origin: `https://${secret}.example` } },
    {
      method: 'POST',
      path: '/auth/login',
      body: JSON.stringify({ [secret]: secret, email: [secret], password: { secret }, workspace: secret }),
    },
    { method: 'POST', path: '/auth/refresh', body: `{"refreshToken":"${secret}` },
    { method: 'POST', path: '/auth/heartbeat', body: JSON.stringify({ lockedAt: secret }) },
    { method: 'POST', path: '/auth/tokens', headers: form, body: `loginToken=${text}` },
    { method: 'POST', path: '/api/calls/lookup', body: JSON.stringify({ phoneNumber: secret }) },
    { method: 'PUT', path: '/api/config/telephony', body: JSON.stringify({ provider: secret, defaultAgentId: { secret } }) },
    { method: 'PUT', path: '/api/config/telephony', body: JSON.stringify({ [secret]: secret }), isNamed: true },
    graphql({ query: `mutation { agentLogin(input: { email: "${secret}", password: 7, token: "${secret}" }) { role } }` }),
    graphql({ query: 'query ($id: ID!) { callLookup(ucid: $id, apiKey: $id) { ucid } }', variables: { id: [secret] } }),
    graphql({ query: '{ me { role } }', operationName: secret, extensions: { secret } }),
    { method: 'POST', path: '/graphql', body: `{"query":"{ me(key: \\"${secret}\\") { role ` },
    { method: 'GET', path: `/graphql?query=${encodeURIComponent(`{ me(token: "${secret}") { role } }`)}` },
    graphql({ query: '{ me { role } }', variables: { large: `${secret} `.repeat(1_100_000 / secret.length) } }),
  ]
}
