import { createServer, type RequestListener } from 'node:http'
import { z } from 'zod'
import type { TestApp } from './app.ts'

const callsSchema = z.object({
  calls: z.object({
    edges: z.array(
      z.object({
        node: z.object({
          id: z.string(),
          ucid: z.string(),
          agentId: z.string().nullable(),
          recording: z.object({ primaryLinkUrl: z.string().nullable() }).nullable(),
        }),
      }),
    ),
  }),
})
export type SeededCall = { readonly id: string; readonly ucid: string; readonly agentId: string | null; readonly url: string | null }

/** The workspace's seeded calls; `recordedCalls` those with a recording, `call-001.wav` first. */
export async function seededCalls(app: TestApp, token: string): Promise<readonly SeededCall[]> {
  const query = '{ calls(first: 60) { edges { node { id ucid agentId recording { primaryLinkUrl } } } } }'
  const { calls } = callsSchema.parse((await app.graphql(query, { token })).data)
  return calls.edges.map(({ node: { recording, ...call } }) => ({ ...call, url: recording?.primaryLinkUrl || null }))
}

export async function recordedCalls(app: TestApp, token: string): Promise<readonly SeededCall[]> {
  const calls = await seededCalls(app, token)
  return calls.filter(({ url }) => url !== null).toSorted((a, b) => (a.url ?? '').localeCompare(b.url ?? ''))
}

/** The agent record of this member: without a sign-in, which would lock the agent's session. */
export async function agentIdOf(app: TestApp, token: string, email: string): Promise<string> {
  const query = 'query($email: String) { teamMembers(search: $email) { nodes { agentId } } }'
  const { data } = await app.graphql(query, { token, variables: { email } })
  return z.object({ teamMembers: z.object({ nodes: z.tuple([z.object({ agentId: z.string() })]) }) }).parse(data).teamMembers.nodes[0]
    .agentId
}

/** A server with what a test wants to stand where recordings are. */
export type MediaServer = AsyncDisposable & { readonly url: string; readonly port: number; readonly connections: () => number }

export async function startMedia(handle: RequestListener, host = '127.0.0.1'): Promise<MediaServer> {
  let connections = 0
  const server = createServer(handle).on('connection', () => (connections += 1))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ port: 0, host }, resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
