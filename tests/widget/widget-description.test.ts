import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { widgetPaths } from '../../src/server/rest/openapi/widget-paths.ts'
import type { RestAnswer } from '../harness/app.ts'
import { createWidgetDesk, type WidgetDesk } from '../harness/widget-desk.ts'

let desk: WidgetDesk
beforeAll(async () => {
  desk = await createWidgetDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

const paths = widgetPaths()

/** What is wrong with an answer, held against its description with nothing added. */
function faultsOf(method: string, path: string, { status, body }: RestAnswer): unknown {
  const schema = paths[path]?.[method]?.responses[String(status)]?.content['application/json']?.schema
  if (!schema) return `${method} ${path} is not described with ${status}`
  const strict: unknown = JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value ? { ...value, additionalProperties: false } : value,
  )
  return z.fromJSONSchema(z.record(z.string(), z.unknown()).parse(strict)).safeParse(body).error?.issues ?? []
}

test.each(['config', 'doctors', 'slots'])('%s answers as described', async (path) => {
  expect(faultsOf('get', `/api/widget/${path}`, await desk.visit('GET', path))).toEqual([])
})

test('both steps of a booking answer as described', async () => {
  const [slot] = await desk.slots()
  const held = await desk.visit('POST', 'bookings', { body: { slotId: slot?.id } })
  expect(faultsOf('post', '/api/widget/bookings', held)).toEqual([])
  const { booking } = z.object({ booking: z.object({ id: z.string() }) }).parse(held.body)
  const body = { bookingId: booking.id, name: 'Asha Rao', phone: '98450 98450' }
  const booked = await desk.visit('POST', 'bookings', { body })
  expect([booked.status, faultsOf('post', '/api/widget/bookings', booked)]).toEqual([200, []])
})

test('every described operation exists, and takes the key', async () => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const answer = await desk.visit(method.toUpperCase(), path.replace('/api/widget/', '').replace('{id}', 'none'), { key: 'none' })
      expect([path, answer.status]).toEqual([path, 401])
      expect(operation.security).toEqual([{ widgetKey: [] }])
    }
  }
})
