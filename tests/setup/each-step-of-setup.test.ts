import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { testNoConnection } from '../../src/features/configuration/connection-test.ts'
import type { ConfigurationPorts } from '../../src/features/configuration/configuration-ports.ts'
import { resetConfiguration } from '../../src/features/configuration/reset-configuration.ts'
import { restoreConfiguration } from '../../src/features/configuration/restore-configuration.ts'
import { saveConfiguration } from '../../src/features/configuration/save-configuration.ts'
import { testConfiguration } from '../../src/features/configuration/test-configuration.ts'
import { listDeadLetters } from '../../src/features/events/list-dead-letters.ts'
import { replayDeadLetters } from '../../src/features/events/replay-all-dead-letters.ts'
import { replayDeadLetter } from '../../src/features/events/replay-dead-letter.ts'
import { changeSetup } from '../../src/features/setup/change-setup.ts'
import { detectStep } from '../../src/features/setup/detect-step.ts'
import { readWizardRequired } from '../../src/features/setup/detected-setup.ts'
import { testPlatformConnection } from '../../src/features/setup/platform-connection-test.ts'
import { provision } from '../../src/features/setup/provision.ts'
import type { SetupPorts } from '../../src/features/setup/setup-ports.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { DeadLetter } from '../../src/ports/dead-letters.ts'
import type { ErrorReason } from '../../src/kernel/errors.ts'
import { failEachStep, type Outcomes } from '../harness/each-step.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

/** Every step of these use cases fails once. A failure that is in no list fails the use case with the same error. */

let desk: WiredDesk
let manager: Actor
let setup: SetupPorts
let ports: ConfigurationPorts
beforeAll(async () => {
  desk = await createWiredDesk()
  manager = await desk.signIn('manager@demo.example')
  setup = { ...desk.ports, fingerprintKey: randomBytes(32) }
  const connectionTests = {
    telephony: testNoConnection,
    ai: testNoConnection,
    platform: testNoConnection,
    widget: testNoConnection,
    theme: testNoConnection,
    alerts: testNoConnection,
  }
  ports = { ...desk.ports, fingerprintKey: setup.fingerprintKey, connectionTests }
})
afterAll(() => desk[Symbol.asyncDispose]())

const { signal } = new AbortController()
const outcomes = <Subject>(
  prepare: () => Promise<Subject>,
  run: (subject: Subject) => Promise<unknown>,
  reason?: ErrorReason | 'unexpected',
): Promise<Outcomes> => failEachStep(desk.steps, { prepare, run, ...(reason && { reason }) })
const nothing = async (): Promise<void> => {}

let names = 0
const document = async () => ({ brand: { hospitalName: `Sunrise ${names++}` } })
const save = async () => saveConfiguration(ports, manager, { section: 'theme', document: await document() })

test('the wizard', async () => {
  expect(await outcomes(nothing, () => changeSetup(setup, manager, { kind: 'COMPLETE', step: 'TEAM' }))).toEqual({})
  expect(await outcomes(nothing, () => changeSetup(setup, manager, { kind: 'REOPEN', step: 'TEAM' }))).toEqual({})
  expect(await outcomes(nothing, () => changeSetup(setup, manager, { kind: 'DISMISS' }))).toEqual({})
  expect(await outcomes(nothing, () => changeSetup(setup, manager, { kind: 'RESET' }))).toEqual({})
  expect(await outcomes(nothing, () => detectStep(setup, manager, 'TELEPHONY'))).toEqual({
    tolerated: ['configuration.read telephony', 'store.get configuration:*:*:telephony'],
  })
  expect(await outcomes(nothing, () => detectStep(setup, manager, 'BRAND'))).toEqual({ tolerated: ['configuration.read theme'] })
  expect(await outcomes(nothing, () => detectStep(setup, manager, 'TEAM'))).toEqual({ tolerated: ['workspaceFacts.countMembers'] })
  expect(await outcomes(nothing, () => detectStep(setup, manager, 'WIDGET'))).toEqual({ tolerated: ['configuration.read widget'] })
})

test('a sign-in does not wait for what nobody can say about the wizard', async () => {
  const configuration = { read: () => new Promise<never>(() => {}) }
  expect(await readWizardRequired({ ...setup, configuration }, manager)).toBe(false)
  expect(await readWizardRequired(setup, manager)).toBe(true)
})

test('the data model of the platform', async () => {
  expect(await outcomes(nothing, () => provision(setup, manager, { apply: false, signal }))).toEqual({})
  expect(await outcomes(nothing, () => provision(setup, manager, { apply: false, signal }), 'PLATFORM_REFUSED')).toEqual({
    tolerated: ['dataModel.roles'],
  })
})

test('a section that is saved, tested, reset and restored', async () => {
  expect(await outcomes(document, async (next) => saveConfiguration(ports, manager, { section: 'theme', document: next }))).toEqual({
    tolerated: ['audit.record'],
  })
  expect(await outcomes(save, () => testConfiguration(ports, manager, { section: 'theme', document: null, signal }))).toEqual({})
  expect(await outcomes(save, () => resetConfiguration(ports, manager, { section: 'theme' }))).toEqual({ tolerated: ['audit.record'] })
  expect(await outcomes(save, () => restoreConfiguration(ports, manager, { section: 'theme', version: 1 }))).toEqual({
    tolerated: ['audit.record'],
  })
  const section = await desk.ports.configuration.read(desk.workspaceId, 'platform')
  const scope = { workspaceId: desk.workspaceId, accessToken: manager.accessToken, signal }
  expect(await outcomes(nothing, () => testPlatformConnection({ ...desk.ports, ownRootFields: ['agents'] }, section, scope))).toEqual({
    tolerated: [
      'dataModel.mayChangeRecords',
      'dataModel.objects',
      'dataModel.roles',
      'workspaceFacts.readablePasswords',
      'workspaceFacts.rootFields',
      'workspaces.ownerOfApiKey',
    ],
  })
})

test('a dead letter that is delivered again', async () => {
  const given = (): DeadLetter => ({
    id: newId(),
    topic: 'call.completed',
    eventId: newId(),
    key: 'k',
    receiver: 'insights',
    reason: 'MODEL_REFUSED',
    deadAt: desk.clock.now(),
    workspaceId: desk.workspaceId,
    value: '',
    headers: {},
  })
  let waiting: readonly DeadLetter[] = []
  const bus = {
    ...desk.ports.bus,
    replay: async () => {},
    deadLetters: { add: async () => {}, read: async () => waiting[0] ?? null, list: async () => waiting, remove: async () => true },
  }
  const events = { ...desk.auth, ...desk.steps.around({ bus }) }
  const dead = async () => {
    waiting = [given()]
    return waiting[0]?.id ?? ''
  }
  expect(await outcomes(dead, (id) => replayDeadLetter(events, manager, id))).toEqual({})
  expect(await outcomes(dead, () => replayDeadLetters(events, manager))).toEqual({})
  expect(await outcomes(dead, () => listDeadLetters(events, manager, { first: 5 }))).toEqual({})
})
