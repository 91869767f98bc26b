import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { answerOf } from './prepared-answers.ts'

/**
 * The platform of the benchmark, in a separate process. It answers by operation name with prepared bytes, so that the benchmark measures
 * only the process in front of it. Prints its port.
 */
const answers = new Map<string, Buffer>([
  ['Small', answerOf(400)],
  ['Medium', answerOf(50_000)],
  ['Large', answerOf(1_000_000)],
])
const profile = Buffer.from(
  JSON.stringify({
    data: {
      currentUser: {
        id: '20202020-0000-4000-8000-000000000001',
        email: 'agent1@bench.example',
        firstName: 'Asha',
        lastName: 'Rao',
        workspaceMember: {
          id: '20202020-0000-4000-8000-000000000002',
          name: { firstName: 'Asha', lastName: 'Rao' },
          roles: [{ id: '1', label: process.env['BENCH_ROLE'] ?? 'User' }],
        },
        currentWorkspace: { id: '20202020-0000-4000-8000-000000000003', subdomain: 'bench' },
      },
    },
  }),
)
const schemaFile = process.env['BENCH_SCHEMA']
const introspection =
  schemaFile === undefined
    ? null
    : Buffer.from(
        JSON.stringify({
          data: introspectionFromSchema(buildSchema(readFileSync(schemaFile, 'utf8'), { assumeValid: true }), { oneOf: false }),
        }),
      )

const workspace = Buffer.from(JSON.stringify({ data: { workspace: { id: '20202020-0000-4000-8000-000000000003' } } }))
const noObject = Buffer.from(JSON.stringify({ data: { __type: null } }))
const noAgent = Buffer.from(JSON.stringify({ data: { agents: { edges: [] } } }))

/** The service's own requests about the member, and the schema. */
function otherAnswer(body: string): Buffer | undefined {
  if (body.includes('__schema') && introspection) return introspection
  if (body.includes('currentUser')) return profile
  if (body.includes('ObjectShape')) return noObject
  if (body.includes('WorkspaceByDomain')) return workspace
  return body.includes('agents:') ? noAgent : answers.get('Small')
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const name = /query (\w+)/.exec(body)?.[1] ?? ''
    const answer = answers.get(name) ?? otherAnswer(body)
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': answer?.length ?? 0 })
    response.end(answer)
  })
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
