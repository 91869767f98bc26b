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
  /** The slots that visitors may choose from. */
  slots(): Promise<readonly FreeSlot[]>
  /** Holds a slot; throws if that is rejected. */
  hold(slotId: string, address?: string): Promise<HeldBooking>
}

const slotSchema = z.object({ id: z.string(), doctorId: z.string().nullable(), startsAt: z.string(), localStartsAt: z.string() })
export type FreeSlot = z.output<typeof slotSchema>
const bookingSchema = z.object({
  booking: z.object({ id: z.string(), state: z.literal('HELD'), heldUntil: z.string(), slot: z.looseObject({ id: z.string() }) }),
})
export type HeldBooking = z.output<typeof bookingSchema>['booking']

const keySchema = z.object({ key: z.string() })

export async function createWidgetDesk(options: TestAppOptions = {}): Promise<WidgetDesk> {
  const app = await createTestApp(options)
  const { token } = await app.signIn('manager@demo.example')
  await openWidget(app, token)
  const newKey = async (origins: readonly string[]): Promise<string> =>
    keySchema.parse((await app.rest('POST', '/api/config/widget/keys', { token, body: { origins } })).body).key
  const key = await newKey([site])
  const visit = visitorOf(app, key)
  return {
    app,
    token,
    key,
    newKey,
    visit,
    slots: async () => z.object({ slots: z.array(slotSchema) }).parse((await visit('GET', 'slots')).body).slots,
    hold: async (slotId, address = '203.0.113.50') =>
      bookingSchema.parse((await visit('POST', 'bookings', { body: { slotId }, address })).body).booking,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** Gives the workspace a name and switches its widget on. */
async function openWidget(app: TestApp, token: string): Promise<void> {
  await app.rest('PUT', '/api/config/theme', { token, body: { brand: { hospitalName: 'Sunrise Hospital' } } })
  await app.rest('PUT', '/api/config/widget', { token, body: { enabled: true } })
}

export function visitorOf(app: TestApp, ownKey: string, ownOrigin = site): Visit {
  return (method, path, { body, key = ownKey, origin = ownOrigin, address, headers = {} } = {}) =>
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
