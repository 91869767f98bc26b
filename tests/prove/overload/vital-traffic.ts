import { createChance, playCall, type Posting } from '../calls/traffic.ts'
import type { Load } from './load.ts'
import type { BytesOf } from './request-bytes.ts'

type Vital = { readonly kind: string; readonly bytes: Buffer }

/** The next ones, ten times a second: a webhook, a heartbeat over REST and over GraphQL, and twice a second a sign-out, as long as there are agents. */
export function createVitalRequests({ tokens, leaving, webhookPath, firstCall }: Load, bytesOf: BytesOf): () => readonly Vital[] {
  const heartbeats = tokens.map((token) => bytesOf({ path: '/auth/heartbeat', body: '{}', token }))
  const graphql = (query: string, token: string): Buffer => bytesOf({ path: '/graphql', body: JSON.stringify({ query }), token })
  const graphqlHeartbeats = tokens.map((token) => graphql('mutation { heartbeat { expiresAt } }', token))
  const nextPosting = createPostings(firstCall)
  let round = 0
  return () => {
    round += 1
    const { contentType, body } = nextPosting()
    const all: Vital[] = [
      { kind: 'webhook', bytes: bytesOf({ path: webhookPath, body, type: contentType }) },
      { kind: 'heartbeat', bytes: heartbeats[round % heartbeats.length] ?? Buffer.of() },
      { kind: 'heartbeat by GraphQL', bytes: graphqlHeartbeats[(round + 1) % graphqlHeartbeats.length] ?? Buffer.of() },
    ]
    const token = round % 5 === 0 ? leaving[round / 5 - 1] : undefined
    if (token !== undefined)
      all.push(
        round % 10 === 0
          ? { kind: 'sign-out', bytes: bytesOf({ path: '/auth/logout', body: '{}', token }) }
          : { kind: 'sign-out by GraphQL', bytes: graphql('mutation { agentLogout { released } }', token) },
      )
    return all
  }
}

function createPostings(firstCall: number): () => Posting {
  const chance = createChance(firstCall)
  let call = firstCall
  let waiting: Posting[] = []
  return () => {
    while (waiting.length === 0) waiting = [...playCall((call += 1), chance, { beganAt: Date.now() - 600_000, agentId: 'agent3' }).postings]
    const [next, ...others] = waiting
    waiting = others
    return next ?? { contentType: '', body: '' }
  }
}
