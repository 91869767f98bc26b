import * as fc from 'fast-check'
import type { Locator, Page } from 'playwright-core'
import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { telephonyAccounts } from '../../../src/sandbox/accounts.ts'
import { waitFor } from '../wait-for.ts'
import type { Model } from './model.ts'
import { settle } from './rules.ts'
import { lookAt } from './seen.ts'
import { agentId, type DeviceName, deviceNames, type World } from './world.ts'

type Step = Omit<fc.AsyncCommand<Model, World>, 'check'> & { check(model: Readonly<Model>): boolean }
/** Which device, and which of its tabs: counted on from the first one again. */
type Place = { readonly device: DeviceName; readonly tab: number }
type Doing = {
  readonly can: (model: Model) => boolean
  readonly take: (world: World, model: Model) => Promise<void> | void
}

function step(name: string, { can, take }: Doing): Step {
  return {
    check: (model) => can(model),
    async run(model, world) {
      await take(world, model)
      await settle(world, model)
    },
    toString: () => name,
  }
}

const afterCallMs = 125_000

/** Steps that need a tab of the device. */
function atTab(
  name: string,
  place: Place,
  { can = () => true, take }: { can?: Doing['can']; take: (page: Page, world: World, model: Model) => Promise<void> },
): Step {
  return step(`${name} at ${place.device}${place.tab + 1}`, {
    can: (model) => model.tabs[place.device] > 0 && can(model),
    async take(world, model) {
      const { tabs } = world.devices[place.device]
      const page = tabs[place.tab % tabs.length]
      if (page) await take(page, world, model)
    },
  })
}

/** False where the page does not offer it. A button that cannot be pressed is a fault. */
async function press(button: Locator): Promise<boolean> {
  const [first] = await button.all()
  if (!first || !(await first.isEnabled({ timeout: 1_000 }).catch(() => false))) return false
  await first.click({ timeout: 10_000 }).catch(async (error: unknown) => {
    // It may have gone meanwhile.
    if ((await button.count()) > 0) throw error
  })
  return true
}

const named = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

/** Wherever a page offers it. */
async function pressAnywhere({ devices }: World, name: string): Promise<void> {
  for (const { tabs } of Object.values(devices)) for (const page of tabs) if (await press(named(page, name))) return
}

const steps = {
  open: ({ device }: Place) =>
    step(`open a tab at ${device}`, {
      can: (model) => model.tabs[device] < 3 && model.online[device] && model.isServiceUp,
      async take(world, model) {
        await world.openTab(device)
        model.tabs[device] += 1
      },
    }),
  close: (place: Place) =>
    atTab('close', place, {
      async take(page, world, model) {
        await page.close()
        const { tabs } = world.devices[place.device]
        tabs.splice(tabs.indexOf(page), 1)
        model.tabs[place.device] -= 1
      },
    }),
  reload: (place: Place) =>
    atTab('reload', place, {
      can: (model) => model.online[place.device] && model.isServiceUp,
      take: async (page) => void (await page.reload()),
    }),
  takeOver: (place: Place) =>
    atTab('go on working', place, {
      can: (model) => model.holder !== place.device && model.online[place.device] && model.isServiceUp,
      async take(page, world, model) {
        world.asking = place.device
        const { screen } = await lookAt(page)
        if (screen === 'sign-in') {
          await page.getByLabel('Workspace').fill('demo')
          await page.getByLabel('Email').fill(`${agentId}@demo.example`)
          await page.getByLabel('Password').fill(sandboxPassword)
          await named(page, 'Sign in').click()
        }
        if (screen !== 'sound') {
          const [goOn, work] = [named(page, 'Continue here'), page.locator('#content')]
          await goOn.or(work).first().waitFor()
          if ((await goOn.count()) > 0) await goOn.click()
          await work.waitFor()
          model.holder = place.device
        }
        world.asking = null
      },
    }),
  ready: (place: Place) =>
    atTab('become ready', place, {
      can: (model) => model.holder === place.device && (model.agent === 'AUX' || model.agent === 'pause' || model.agent === 'ACW'),
      async take(page) {
        if (!(await press(page.locator('.state-trigger')))) return
        await page.getByRole('menuitem', { name: 'Ready', exact: true }).click()
      },
    }),
  ring: () => step('a customer calls', { can: (model) => model.agent === 'IDLE', take: (world) => world.ring() }),
  answer: () => step('answer', { can: (model) => model.agent === 'calling', take: (world) => pressAnywhere(world, 'Answer') }),
  answerElsewhere: () =>
    step('the agent answers at a desk phone', {
      can: (model) => model.agent === 'calling',
      take: (world) => world.stage.app.standIns.telephony.answer({ ucid: world.agent().ucid ?? '' }),
    }),
  hangUp: () => step('hang up', { can: (model) => model.agent === 'incall', take: (world) => pressAnywhere(world, 'Hang up') }),
  customerLeaves: () =>
    step('the customer hangs up', {
      can: (model) => model.agent === 'calling' || model.agent === 'incall',
      take: (world) => world.stage.app.standIns.telephony.hangUp({ ucid: world.agent().ucid ?? '' }),
    }),
  write: (place: Place, number: number) =>
    atTab('write', place, {
      async take(page, world) {
        const { desk } = await lookAt(page)
        if (!desk) return
        const word = `word${world.notes.length}x${number}`
        const field = page.locator('.desk-outcome textarea')
        await field.press('Control+End')
        await field.pressSequentially(` ${word}`)
        world.notes.push({ number: desk.number, word, page, device: place.device })
      },
    }),
  choose: (place: Place, at: number) =>
    atTab(`choose outcome ${at + 1}`, place, {
      take: async (page) => void (await press(named(page, new RegExp(`${telephonyAccounts.demo.dispositions[at]}$`)))),
    }),
  save: (place: Place) =>
    atTab('save the outcome', place, { take: async (page) => void (await press(named(page, /^Save (outcome|correction)$/))) }),
  finish: (place: Place) =>
    atTab('save and be ready', place, { take: async (page) => void (await press(named(page, /^(Save and be|Become) ready$/))) }),
  timePasses: (seconds: number) => step(`${seconds} s pass`, { can: () => true, take: (world) => world.pass(seconds * 1_000) }),
  wrapUpEnds: () => step('the wrap-up ends', { can: (model) => model.agent === 'ACW', take: (world) => world.pass(afterCallMs) }),
  network: (device: DeviceName, isOnline: boolean) =>
    step(`${device} is ${isOnline ? 'online' : 'offline'}`, {
      can: (model) => model.tabs[device] > 0 && model.online[device] !== isOnline,
      async take(world, model) {
        await world.devices[device].opened?.page.context().setOffline(!isOnline)
        model.online[device] = isOnline
      },
    }),
  service: (isUp: boolean) =>
    step(isUp ? 'the service starts' : 'the service stops', {
      can: (model) => model.isServiceUp !== isUp,
      async take({ stage }, model) {
        await (isUp ? stage.app.start() : stage.app.stop())
        model.isServiceUp = isUp
      },
    }),
  phoneServer: (isUp: boolean) =>
    step(`the phone server is ${isUp ? 'back' : 'away'}`, {
      can: (model) => model.isPhoneServerUp !== isUp,
      take({ stage }, model) {
        stage.app.standIns.sip[isUp ? 'mend' : 'cut']()
        model.isPhoneServerUp = isUp
      },
    }),
  events: (delivery: Model['delivery']) =>
    step(`the provider's events: ${delivery}`, {
      can: (model) => model.delivery !== delivery,
      take({ stage }, model) {
        stage.app.standIns.telephony.accountMode({ delivery })
        if (model.delivery === 'lost') model.unreported = model.agent
        if (delivery === 'lost') model.hasLostReports = true
        model.delivery = delivery
      },
    }),
  eventsTwice: () =>
    step('ends of calls come twice', { can: () => true, take: ({ stage }) => stage.app.standIns.telephony.accountMode({ copies: 2 }) }),
}

const device = fc.constantFrom<DeviceName>('A', 'A', 'B')
const place = fc.record({ device, tab: fc.nat({ max: 2 }) })

const mostly = fc.constantFrom(true, true, false)
const number = fc.nat({ max: 999 })
const often = (arbitrary: fc.Arbitrary<Step>): readonly fc.Arbitrary<Step>[] => [arbitrary, arbitrary, arbitrary]

/** The same ones for the same seed. */
export const walks = fc.commands(
  [
    ...often(fc.constant(steps.ring())),
    ...often(fc.constant(steps.answer())),
    ...often(fc.tuple(place, number).map(([at, word]) => steps.write(at, word))),
    place.map(steps.open),
    place.map(steps.close),
    place.map(steps.reload),
    place.map(steps.takeOver),
    place.map(steps.ready),
    fc.constant(steps.answerElsewhere()),
    fc.constant(steps.hangUp()),
    fc.constant(steps.customerLeaves()),
    fc.tuple(place, fc.nat({ max: 2 })).map(([at, outcome]) => steps.choose(at, outcome)),
    place.map(steps.save),
    place.map(steps.finish),
    fc.constantFrom(3, 15, 60).map(steps.timePasses),
    fc.constant(steps.wrapUpEnds()),
    fc.tuple(device, mostly).map(([name, isOnline]) => steps.network(name, isOnline)),
    mostly.map(steps.service),
    mostly.map(steps.phoneServer),
    fc.constantFrom<Model['delivery']>('works', 'works', 'late', 'lost').map(steps.events),
    fc.constant(steps.eventsTwice()),
  ],
  { maxCommands: 60, size: 'max' },
)

/** The agent comes to work. */
export async function firstSteps(world: World, model: Model): Promise<void> {
  for (const first of [steps.open({ device: 'A', tab: 0 }), steps.ready({ device: 'A', tab: 0 })]) await first.run(model, world)
}

/** Ends what lasts, and goes to work once more at each device that has been used: then the CRM has all that was typed. */
export async function lastSteps(world: World, model: Model): Promise<void> {
  const at = (device: DeviceName): Place => ({ device, tab: 0 })
  const mends = [
    steps.events('works'),
    steps.phoneServer(true),
    steps.service(true),
    ...deviceNames.map((device) => steps.network(device, true)),
  ]
  // What was not reported is in the provider's records, with which the service compares its calls every five minutes.
  const ends = [steps.customerLeaves(), steps.wrapUpEnds(), steps.timePasses(360)]
  for (const next of [...mends, ...ends]) if (next.check(model)) await next.run(model, world)
  for (const device of deviceNames.filter((name) => world.devices[name].opened !== null)) {
    const visit = [...(model.tabs[device] === 0 ? [steps.open(at(device))] : []), steps.takeOver(at(device))]
    for (const next of visit) if (next.check(model)) await next.run(model, world)
    await waitFor(() => expectNotes(world, device), { what: 'all notes in the CRM' })
  }
}

/** Throws if the CRM does not have what was typed at the device. */
function expectNotes({ notes, stage }: World, device: DeviceName): true {
  const stored = JSON.stringify(stage.app.standIns.platform.records('demo', 'call'))
  const lost = notes.filter(({ word, device: typedAt }) => typedAt === device && !stored.includes(word))
  if (lost.length > 0) throw new Error(`The CRM does not have ${lost.map(({ word }) => word).join(', ')}`)
  return true
}
