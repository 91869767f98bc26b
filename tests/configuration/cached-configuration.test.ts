import { expect, test } from 'vitest'
import { createCachedConfiguration } from '../../src/features/configuration/cached-configuration.ts'
import type { SectionStore } from '../../src/features/configuration/section-store.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createFigures } from '../../src/ports/figures.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { waitFor } from '../harness/wait-for.ts'

test('a change that is known while the store is away counts a second after the store is back, not when all is read again', async () => {
  const store = { name: 'Before', isAway: false }
  const theme = await fixedConfiguration().read('demo', 'theme')
  const load = async () => {
    if (store.isAway) throw new AppError('STORE_UNAVAILABLE')
    return { values: { ...theme, brand: { ...theme.brand, hospitalName: store.name } } }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one section that is read here
  const sections = { load } as unknown as Pick<SectionStore, 'load'>
  const started = systemClock.now()
  const configuration = createCachedConfiguration({ sections, clock: { now: () => started }, figures: createFigures() })
  const name = async (): Promise<string | null> => (await configuration.read('demo', 'theme')).brand.hospitalName
  expect(await name()).toBe('Before')
  Object.assign(store, { name: 'After', isAway: true })
  configuration.invalidateAll()
  expect([await name(), await name()]).toEqual(['Before', 'Before'])
  store.isAway = false
  await waitFor(async () => (await name()) === 'After')
})
