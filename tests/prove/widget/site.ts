import { z } from 'zod'
import { type Answer, type Client, tokensOf } from '../stage/client.ts'
import type { Stage } from '../stage/stage.ts'

const site = 'https://www.hospital.example'

/** The widget of the demo workspace, as visitors of its site meet it: each from an address of its own. */
export type Site = {
  /** What visitor number `index` asks of one service. */
  readonly visit: (
    index: number,
    url: string,
    asked: { readonly method?: string; readonly path: string; readonly body?: unknown },
  ) => Promise<Answer>
  readonly slots: (url: string) => Promise<readonly { readonly id: string }[]>
}

const keySchema = z.object({ key: z.string() })
const slotsSchema = z.object({ slots: z.array(z.object({ id: z.string() })) })

/** Gives the workspace a name, switches its widget on and makes a key. */
export async function openSite(client: Client, url: string): Promise<Site> {
  const { accessToken } = tokensOf(await client.logIn(url, 'manager'))
  const headers = { authorization: `Bearer ${accessToken}` }
  await client.send(`${url}/api/config/theme`, { method: 'PUT', headers, body: { brand: { hospitalName: 'Sunrise Hospital' } } })
  await client.send(`${url}/api/config/widget`, { method: 'PUT', headers, body: { enabled: true } })
  const { key } = keySchema.parse((await client.send(`${url}/api/config/widget/keys`, { headers, body: { origins: [site] } })).body)
  const visit: Site['visit'] = (index, at, { method = 'GET', path, body }) =>
    client.send(`${at}/api/widget/${path}`, {
      method,
      body,
      headers: { origin: site, 'x-widget-key': key, 'x-forwarded-for': `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}` },
    })
  return { visit, slots: async (at) => slotsSchema.parse((await visit(60_000, at, { path: 'slots' })).body).slots }
}

export const heldSchema = z.object({ booking: z.object({ id: z.string() }) })
const recordsSchema = z.array(z.looseObject({ id: z.string() }))

/** Records of the demo workspace, as the platform has them. */
export async function recordsOf(stage: Stage, object: string, filter: object) {
  return recordsSchema.parse(await stage.command('platform', 'records', { workspace: 'demo', object, filter }))
}

export function phoneOf(index: number): string {
  return `+9198450${String(10_000 + index)}`
}
