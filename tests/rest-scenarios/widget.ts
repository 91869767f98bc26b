import { z } from 'zod'
import type { Asked, World } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const keySchema = z.object({ key: z.string() })
const withOrigins = (...origins: readonly string[]): Asked => ({ body: { origins }, variables: { input: { origins } } })
const ofKey = (key: string): Asked => ({ path: { key }, variables: { key } })
const sample = ofKey('city-hospital_aaaaaaaaaaaaaaaaaaaaaaaa')

const named = async ({ app, manager: { token } }: World, hospitalName: string | null): Promise<void> => {
  await app.rest('PUT', '/api/config/theme', { token, body: { brand: { hospitalName } } })
}
const made = async (world: World, origin: string): Promise<string> => {
  await named(world, 'City Hospital')
  const { app, manager } = world
  const { body } = await app.rest('POST', '/api/config/widget/keys', { token: manager.token, body: { origins: [origin] } })
  return keySchema.parse(body).key
}

export const widgetScenarios: Scenarios = {
  'GET /api/config/widget/keys': {
    sample: {},
    results: ['OK'],
    play: async (ask, world) => {
      await made(world, 'https://list.example')
      return inSequence(() => ask({}, world.manager.token))
    },
  },
  'POST /api/config/widget/keys': {
    sample: withOrigins('https://sample.example'),
    results: ['NOT_CONFIGURED', 'OK', 'INVALID_INPUT', 'INVALID_INPUT'],
    play: async (ask, world) => {
      const { token } = world.manager
      await named(world, null)
      const unnamed = await ask(withOrigins('https://one.example'), token)
      await named(world, 'City Hospital')
      const others = await inSequence(
        () => ask(withOrigins('https://One.example/', 'http://two.example:8080'), token),
        () => ask(withOrigins('ftp://one.example'), token),
        () => ask(withOrigins(), token),
      )
      return [unnamed, ...others]
    },
  },
  'POST /api/config/widget/keys/{key}/rotate': {
    sample,
    results: ['OK', 'WRONG_STATE', 'NOT_FOUND'],
    play: async (ask, world) => {
      const key = await made(world, 'https://rotate.example')
      const { token } = world.manager
      return inSequence(
        () => ask(ofKey(key), token),
        () => ask(ofKey(key), token),
        () => ask(sample, token),
      )
    },
  },
  'DELETE /api/config/widget/keys/{key}': {
    sample,
    results: ['OK', 'NOT_FOUND'],
    play: async (ask, world) => {
      const key = await made(world, 'https://delete.example')
      const { token } = world.manager
      return inSequence(
        () => ask(ofKey(key), token),
        () => ask(ofKey(key), token),
      )
    },
  },
}
