import { z } from 'zod'
import { createTestApp, type RestAnswer, type TestApp, type TestAppOptions } from './app.ts'

export const site = 'https://www.hospital.example'

export type VisitRequest = {
  readonly body?: unknown
  readonly key?: string
  readonly origin?: string | null
  /** The visitor's address, as the proxy before the service tells it. */
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks as a page of the site with the widget's key does. */
export type Visit = (method: string, path: string, request?: VisitRequest) => Promise<RestAnswer>

/** A service whose demo workspace has a name, a widget that is switched on, and a key for `site`. */
export type WidgetDesk = AsyncDisposable & {
  readonly app: TestApp
  /** The manager's token. */
  readonly token: string
  readonly key: string
  readonly visit: Visit
  /** A further key. */
  newKey(origins: readonly string[]): Promise<string>
}

const keySchema = z.object({ key: z.string() })

export async function createWidgetDesk(options: TestAppOptions = {}): Promise<WidgetDesk> {
  const app = await createTestApp(options)
  const { token } = await app.signIn('manager@demo.example')
  await openWidget(app, token)
  const newKey = async (origins: readonly string[]): Promise<string> =>
    keySchema.parse((await app.rest('POST', '/api/config/widget/keys', { token, body: { origins } })).body).key
  const key = await newKey([site])
  return { app, token, key, newKey, visit: visitorOf(app, key), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** Gives the workspace a name and switches its widget on. */
async function openWidget(app: TestApp, token: string): Promise<void> {
  await app.rest('PUT', '/api/config/theme', { token, body: { brand: { hospitalName: 'Sunrise Hospital' } } })
  await app.rest('PUT', '/api/config/widget', { token, body: { enabled: true } })
}

export function visitorOf(app: TestApp, ownKey: string): Visit {
  return (method, path, { body, key = ownKey, origin = site, address, headers = {} } = {}) =>
    app.rest(method, `/api/widget/${path}`, {
      body,
      headers: {
        'x-widget-key': key,
        ...(origin === null ? {} : { origin }),
        ...(address === undefined ? {} : { 'x-forwarded-for': address }),
        ...headers,
      },
    })
}
