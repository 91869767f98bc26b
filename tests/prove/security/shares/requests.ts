import { randomBytes } from 'node:crypto'
import type { PreparedRequest } from './traffic.ts'

const graphql = (kind: string, token: string, query: string): PreparedRequest => {
  return { kind, path: '/graphql', body: JSON.stringify({ query }), token }
}

/** What agents' consoles send all day; each agent sends each kind. */
export function ordinaryRequests(tokens: readonly string[]): readonly PreparedRequest[] {
  return tokens.flatMap((_, index) =>
    ordinary.map(([kind, query], shift) => graphql(kind, tokens[(index + shift) % tokens.length] ?? '', query)),
  )
}

const ordinary = [
  ['me', '{ me { role agent { name } session { expiresAt } } }'],
  ['heartbeat', 'mutation { heartbeat { expiresAt } }'],
  ['platform', '{ leads(first: 5) { edges { node { id name } } } }'],
  ['stitched', '{ leads(first: 5) { edges { node { id insight { summary } } } } }'],
  ['look-up', '{ callLookup(phoneNumber: "+919814012345") { phoneNumber lead { id name } } }'],
] as const

type Attack = { readonly name: string; readonly requests: readonly PreparedRequest[] }

/** `token`: of a member of another workspace. */
export function attacks(token: string): readonly Attack[] {
  const lead = 'node { id name { firstName lastName } source status }'
  const dear = Array.from({ length: 20 }, (_, index) => `a${index}: callLookup(phoneNumber: "+9198140${10_000 + index}") { ${lookUp} }`)
  return [
    { name: 'pass-through queries', requests: [graphql('attack', token, `{ leads(first: 20) { edges { ${lead} } } }`)] },
    {
      name: 'stitched queries',
      requests: [graphql('attack', token, '{ leads(first: 20) { edges { node { id insight { summary suggestedAction } } } } }')],
    },
    { name: 'dear operations of ours', requests: [graphql('attack', token, `{ ${dear.join(' ')} }`)] },
    { name: 'sign-ins with wrong passwords', requests: Array.from({ length: 400 }, (_, index) => wrongSignIn(index)) },
    {
      name: 'requests with a garbage token',
      requests: Array.from({ length: 400 }, () => graphql('attack', garbageToken(), '{ me { role } }')),
    },
  ]
}

const lookUp = 'phoneNumber lead { id name } unavailable enrichment { available whoIsThis likelyReason }'

function wrongSignIn(index: number): PreparedRequest {
  const body = JSON.stringify({ email: `nobody${index}@demo.example`, password: `guess-${index}`, workspace: 'demo' })
  return { kind: 'attack', path: '/auth/login', body, token: null }
}

/** It looks like one of the platform's, so that the platform is asked. */
function garbageToken(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [userId, workspaceId, workspaceMemberId] = Array.from({ length: 3 }, () => crypto.randomUUID())
  const claims = { sub: userId, userId, workspaceId, workspaceMemberId, type: 'ACCESS', iat: 1, exp: 4_000_000_000 }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${randomBytes(32).toString('base64url')}`
}
