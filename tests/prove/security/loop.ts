import { makeExecutableSchema } from '@graphql-tools/schema'
import { readContract } from '../../../src/server/graphql/local-schema.ts'
import { bindTable } from '../../../src/server/rest/bound-row.ts'
import { restTable } from '../../../src/server/rest/table.ts'
import { hostileShapes } from '../../harness/hostile-json.ts'
import {
  dearDocuments,
  documentBody,
  type HostileRequest,
  hostileSizes,
  restRequests,
  rootFieldRequests,
  uploadOf,
} from '../../harness/hostile-requests.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService, type WatchedService } from './watched.ts'

const longestHoldMs = 50
/** The best of these tries counts, in processor time: a busy machine and the garbage of earlier requests are not this request's work. */
const tries = 3
const bytes = 1_040_000

type Group = { readonly claim: string; readonly requests: readonly HostileRequest[] }

/** How long requests of up to 1 MB hold the event loop of the service, without a token: processor time between two rounds of the loop. */
export async function proveLoop(): Promise<readonly Figure[]> {
  await using service = await startWatchedService()
  const figures: Figure[] = []
  for (const group of [{ claim: 'warming up', requests: graphqlRequests().slice(0, 20) }, ...groups()]) {
    say(`${group.claim}: ${group.requests.length} requests`)
    const figure = await figureOf(service, group)
    if (group.claim !== 'warming up') figures.push(figure)
  }
  return figures
}

async function figureOf(service: WatchedService, { claim, requests }: Group): Promise<Figure> {
  let worst = { heldMs: 0, label: '' }
  let largest = 0
  for (const request of requests) {
    const { heldMs, size } = await measure(service, request)
    if (heldMs > worst.heldMs) worst = { heldMs, label: request.label }
    largest = Math.max(largest, size)
  }
  const figure = `${requests.length} requests; the longest hold is ${worst.heldMs.toFixed(0)} ms (${worst.label}); the largest answer ${Math.ceil(largest / 1_024)} kB`
  return { claim, figure, holds: worst.heldMs <= longestHoldMs && largest <= 65_536 }
}

async function measure(
  service: WatchedService,
  { method, path, headers, body }: HostileRequest,
): Promise<{ heldMs: number; size: number }> {
  let heldMs = Number.POSITIVE_INFINITY
  let size = 0
  for (let attempt = 0; attempt < tries && heldMs > longestHoldMs / 2; attempt += 1) {
    await service.read()
    const response = await fetch(service.url + path, { method, headers, ...(body !== null && { body: Buffer.from(body) }) })
    size = (await response.text()).length
    heldMs = Math.min(heldMs, (await service.read()).cpuMs)
  }
  return { heldMs, size }
}

function groups(): readonly Group[] {
  const schema = makeExecutableSchema({ typeDefs: readContract() })
  const rows = bindTable(restTable, schema).filter(({ method }) => method !== 'GET')
  const texts = hostileSizes.flatMap((size) => hostileShapes.map(({ name, text }) => ({ name: `${name} (${size})`, text: text(size) })))
  const labelled = (requests: readonly HostileRequest[], name: string) =>
    requests.map((request) => ({ ...request, label: `${request.label}: ${name}` }))
  return [
    {
      claim: 'variables of every shape',
      requests: texts.flatMap(({ name, text }) => labelled(rootFieldRequests(schema, text).slice(0, 3), name)),
    },
    { claim: 'unknown keys for every root field', requests: rootFieldRequests(schema, textOf('many keys', 262_000)) },
    { claim: 'unknown keys for every REST path', requests: rows.flatMap((row) => restRequests(row, textOf('many keys', 45_000))) },
    {
      claim: 'bodies of every shape for sign-in',
      requests: rows
        .filter(({ path }) => path === '/auth/login')
        .flatMap((row) => texts.flatMap(({ name, text }) => labelled(restRequests(row, text), name))),
    },
    { claim: 'documents', requests: graphqlRequests() },
    { claim: 'uploads', requests: uploads() },
  ]
}

function textOf(shape: string, size: number): string {
  return hostileShapes.find(({ name }) => name === shape)?.text(size) ?? ''
}

function graphqlRequests(): readonly HostileRequest[] {
  const headers = { 'content-type': 'application/json' }
  return ['/graphql', '/metadata'].flatMap((path) =>
    Object.entries(dearDocuments(bytes - 1_000)).map(([label, query]) => {
      return { label: `${label} on ${path}`, method: 'POST', path, headers, body: documentBody(label, query) }
    }),
  )
}

function uploads(): readonly HostileRequest[] {
  const operations = '{"query":"mutation($file: Upload!) { uploadImage(file: $file) { path } }","variables":{"file":null}}'
  const map = '{"0":["variables.file"]}'
  return [
    uploadOf(operations, `{"0":[${Array.from({ length: 60_000 }, () => '"variables.f"').join(',')}]}`),
    uploadOf(operations, map, '\r\n--b--'.repeat(140_000)),
    uploadOf(operations, map, '\r\n--b\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\n'.repeat(14_000)),
    uploadOf(operations.replace('null', textOf('many keys', 262_000)), map),
  ]
}
