import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Client, createClient } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { type ServiceProcess, setStage, type Stage } from '../stage/stage.ts'
import { heldSchema, openSite, phoneOf, recordsOf, type Site } from './site.ts'

const kills = 3
/** What a confirmation asks of the platform, in turn; each is held there while the service is killed. */
const points = ['leads', 'createLead', 'updateVisitSlots'] as const

/** kill -9 in the middle of a confirmation: the visitor asks again with the same id and has the visit, once. */
export async function proveCrash(): Promise<readonly Figure[]> {
  return [await crashOn('embedded'), await crashOn('redis')]
}

type Scene = { readonly stage: Stage; readonly client: Client; readonly service: ServiceProcess; readonly site: Site }

async function crashOn(on: 'embedded' | 'redis'): Promise<Figure> {
  await using stage = await setStage({ agents: 0 })
  await using client = createClient()
  const service = await stage.service(on)
  const site = await openSite(client, service.url)
  const chosen = await site.slots(service.url)
  let right = 0
  let slowest = 0
  for (const [at, point] of points.entries()) {
    say(`${kills} kills (${on}): ${point}`)
    for (let kill = 0; kill < kills; kill += 1) {
      const index = at * kills + kill
      const { isRight, tookMs } = await killDuring({ stage, client, service, site }, { point, index, slotId: chosen[index]?.id ?? '' })
      if (isRight) right += 1
      slowest = Math.max(slowest, tookMs)
    }
  }
  return {
    claim: `kill -9 at ${points.length} points of a confirmation, ${kills} times each, then asked again (${on})`,
    figure: `${right} of ${points.length * kills} booked once, with one lead; the slowest second answer after ${Math.round(slowest)} ms`,
    holds: right === points.length * kills,
  }
}

type Kill = { readonly point: (typeof points)[number]; readonly index: number; readonly slotId: string }

async function killDuring({ stage, service, site: { visit } }: Scene, { point, index, slotId }: Kill) {
  const held = await visit(index, service.url, { method: 'POST', path: 'bookings', body: { slotId } })
  const body = { bookingId: heldSchema.parse(held.body).booking.id, name: 'Visitor', phone: phoneOf(index) }
  const confirm = () => visit(index, service.url, { method: 'POST', path: 'bookings', body })
  await stage.command('platform', 'forget-calls')
  await stage.command('platform', 'fault', { operation: point, act: 'hang', times: 1 })
  const answering = confirm()
  await until(async () => z.array(z.unknown()).parse(await stage.command('platform', 'calls', { operation: point })).length > 0)
  await service.kill()
  await answering
  await stage.command('platform', 'clear-faults')
  await service.start()
  const { status, tookMs } = await confirm()
  const [slot] = await recordsOf(stage, 'visitSlot', { id: { eq: slotId } })
  const leads = await recordsOf(stage, 'lead', { phones: { primaryPhoneNumber: { eq: phoneOf(index).slice(3) } } })
  return { isRight: status === 200 && leads.length === 1 && slot?.['leadId'] === leads[0]?.id, tookMs }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 20_000
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error('the point of the kill was never reached')
    await pause(2)
  }
}
