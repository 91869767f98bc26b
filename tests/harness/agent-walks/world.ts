import type { Page } from 'playwright-core'
import { choicesOfAccount } from '../../../src/sandbox/vendors.ts'
import type { PlayedAgent } from '../../../src/sandbox/telephony/commands.ts'
import { type ConsolePage, type ConsoleStage, openConsoleStage } from '../console.ts'
import { lookAt, type Seen } from './seen.ts'

export type DeviceName = 'A' | 'B'
export const deviceNames: readonly DeviceName[] = ['A', 'B']
/** `opened`: null until its first tab. */
export type Device = { opened: ConsolePage | null; readonly tabs: Page[] }
export type SeenTab = { readonly device: DeviceName; readonly page: Page; readonly seen: Seen }
/** A word that was typed into the notes of a call, in a tab. */
export type Note = { readonly number: string; readonly word: string; readonly page: Page; readonly device: DeviceName }

/** One agent, two devices with their tabs, and all that they work with. */
export type World = AsyncDisposable & {
  readonly stage: ConsoleStage
  readonly devices: Readonly<Record<DeviceName, Device>>
  readonly patienceMs: number | undefined
  /** How long the pages needed at most until they showed what was true. */
  slowestMs: number
  readonly notes: Note[]
  /** Requests that would have taken the session from another device although nobody asked for it. */
  readonly takenBack: string[]
  /** Where a person asks for the session now. */
  asking: DeviceName | null
  openTab(device: DeviceName): Promise<void>
  look(): Promise<readonly SeenTab[]>
  /** As the telephony provider has the agent. */
  agent(): PlayedAgent
  ring(): void
  /** All clocks go on, those of the pages too. */
  pass(ms: number): Promise<void>
}

export const agentId = 'agent2'

export async function createWorld(chromium: string, patienceMs: number | undefined): Promise<World> {
  await using starting = new AsyncDisposableStack()
  const startsAt = new Date().toISOString()
  const stage = starting.use(await openConsoleStage(chromium, { environment: choicesOfAccount('demo'), startsAt }))
  const devices: Record<DeviceName, Device> = { A: { opened: null, tabs: [] }, B: { opened: null, tabs: [] } }
  const { telephony } = stage.app.standIns
  const takenBack: string[] = []
  let customers = 0
  const watch = (device: DeviceName, page: Page): void => {
    devices[device].tabs.push(page)
    page.on('request', (request) => {
      const body = request.postData() ?? ''
      if (/startAgentSession/.test(body) && /takeOver"?:\s*true/.test(body) && world.asking !== device) takenBack.push(`${device}: ${body}`)
    })
  }
  const running = starting.move()
  const world: World = {
    stage,
    devices,
    patienceMs,
    slowestMs: 0,
    notes: [],
    takenBack,
    asking: null,
    async openTab(name) {
      const device = devices[name]
      if (device.opened === null) {
        device.opened = running.use(await stage.open({ path: '/desk', as: agentId }))
        return watch(name, device.opened.page)
      }
      const page = await device.opened.page.context().newPage()
      watch(name, page)
      await page.goto(`${stage.app.url}/console/desk`).catch(() => undefined)
    },
    look: () =>
      Promise.all(deviceNames.flatMap((device) => devices[device].tabs.map(async (page) => ({ device, page, seen: await lookAt(page) })))),
    agent: () => telephony.agent({ agentId }),
    ring() {
      customers += 1
      telephony.ring({ from: `+9198111${String(customers).padStart(5, '0')}`, agentId })
    },
    async pass(ms) {
      stage.clock.advance(ms)
      for (const name of deviceNames) await devices[name].opened?.page.context().clock.fastForward(ms)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
  return world
}
