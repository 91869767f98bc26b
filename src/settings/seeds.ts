import { z } from 'zod'
import { addressInput } from '../kernel/input.ts'
import { dnsLabel, list, path, text, wholeNumber } from './values.ts'

/** Initial values for the configuration of one workspace; SEED_WORKSPACE (else the first of WORKSPACES) names it. */
export const seedVariables = {
  WORKSPACES: list.pipe(z.array(dnsLabel).min(1)).optional(),
  SEED_WORKSPACE: dnsLabel.optional(),
  PLATFORM_API_KEY: text.optional(),
  OZONETEL_API_URL: addressInput.optional(),
  OZONETEL_EVENTS_URL: addressInput.optional(),
  OZONETEL_ACCOUNT: text.optional(),
  OZONETEL_API_KEY: text.optional(),
  OZONETEL_AUTHENTICATION: z.enum(['API_KEY', 'TOKEN']).default('TOKEN'),
  OZONETEL_AGENT_ID: text.optional(),
  OZONETEL_AGENT_PASSWORD: text.optional(),
  OZONETEL_SIP_ID: text.optional(),
  OZONETEL_DID: text.optional(),
  OZONETEL_CAMPAIGN_NAME: text.optional(),
  OZONETEL_DISPOSITIONS: list.optional(),
  OZONETEL_PAUSE_REASONS: list.optional(),
  OZONETEL_WRAP_UP_SECONDS: wholeNumber({ min: 10, max: 3_600 }).optional(),
  SIP_DOMAIN: text.optional(),
  SIP_WS_PORT: wholeNumber({ min: 1, max: 65535 }).default(444),
  SIP_WS_PATH: path.optional(),
  EXOTEL_URL: addressInput.optional(),
  EXOTEL_ACCOUNT: text.optional(),
  EXOTEL_API_KEY: text.optional(),
  EXOTEL_API_TOKEN: text.optional(),
  EXOTEL_CALLER_ID: text.optional(),
  HOSPITAL_NAME: text.optional(),
  ALERT_WEBHOOK_URL: addressInput.optional(),
  ALERT_WEBHOOK_SECRET: text.regex(/^whsec_/, 'must begin with whsec_').optional(),
  WIDGET_ENABLED: z.enum(['on', 'off']).optional(),
  AI_PROVIDER: z.enum(['openai', 'anthropic', 'google', 'openai-compatible']).default('openai'),
  AI_MODEL: text.optional(),
}

type SeedEnvironment = z.output<z.ZodObject<typeof seedVariables>>

/** The initial configuration values of one workspace. */
export type Seed = ReturnType<typeof toSeed>[number]

/** The values in the form of the configuration sections. A field that is not set gets the section's default. */
export function toSeed(env: SeedEnvironment) {
  const workspace = env.SEED_WORKSPACE ?? env.WORKSPACES?.[0]
  if (workspace === undefined) return []
  const provider = {
    id: 'ozonetel',
    apiUrl: env.OZONETEL_API_URL,
    eventsUrl: env.OZONETEL_EVENTS_URL,
    account: env.OZONETEL_ACCOUNT,
    apiKey: env.OZONETEL_API_KEY,
    authentication: env.OZONETEL_AUTHENTICATION,
  }
  const outbound = {
    id: 'exotel',
    url: env.EXOTEL_URL,
    account: env.EXOTEL_ACCOUNT,
    apiKey: env.EXOTEL_API_KEY,
    apiToken: env.EXOTEL_API_TOKEN,
    callerId: env.EXOTEL_CALLER_ID,
  }
  const telephony = {
    provider: env.OZONETEL_ACCOUNT === undefined ? undefined : withoutUnset(provider),
    outbound: env.EXOTEL_ACCOUNT === undefined ? undefined : withoutUnset(outbound),
    defaultAgentId: env.OZONETEL_AGENT_ID,
    defaultAgentPassword: env.OZONETEL_AGENT_PASSWORD,
    sipId: env.OZONETEL_SIP_ID,
    did: env.OZONETEL_DID,
    campaignName: env.OZONETEL_CAMPAIGN_NAME,
    dispositions: env.OZONETEL_DISPOSITIONS,
    notReadyReasons: env.OZONETEL_PAUSE_REASONS,
    wrapUpSeconds: env.OZONETEL_WRAP_UP_SECONDS,
    sip: withoutUnset({ domain: env.SIP_DOMAIN, wsPort: env.SIP_WS_PORT, wsPath: env.SIP_WS_PATH }),
  }
  const ai = { provider: env.AI_PROVIDER, model: env.AI_MODEL }
  const platform = { apiKey: env.PLATFORM_API_KEY }
  const theme = { brand: withoutUnset({ hospitalName: env.HOSPITAL_NAME }) }
  const alerts = { webhook: withoutUnset({ url: env.ALERT_WEBHOOK_URL, secret: env.ALERT_WEBHOOK_SECRET }) }
  const widget = env.WIDGET_ENABLED === undefined ? {} : { enabled: env.WIDGET_ENABLED === 'on' }
  const own = { telephony: withoutUnset(telephony), ai: withoutUnset(ai), platform: withoutUnset(platform) }
  return [{ workspace, sections: { ...own, theme, widget, alerts } }]
}

function withoutUnset<T extends object>(values: T): { readonly [field: string]: unknown } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
