import { z } from 'zod'
import { addressInput } from '../../../kernel/input.ts'

const text = z.string().trim().min(1).max(200)

/** Settings of Ozonetel CloudAgent. The API and the event subscription have different hosts, and other ones outside India. */
export const ozonetelSettings = z.strictObject({
  apiUrl: addressInput
    .default('https://in1-ccaas-api.ozonetel.com')
    .meta({ destination: true })
    .describe('Address of the API; outside India https://api.ccaas.ozonetel.com'),
  eventsUrl: addressInput
    .default('https://subscription.ozonetel.com')
    .meta({ destination: true })
    .describe('Address of the event subscription; outside India https://subscription.ccaas.ozonetel.com'),
  account: text.meta({ destination: true, account: true }).describe("The account's user name"),
  apiKey: text.meta({ secret: true }).describe("The account's API key"),
  authentication: z.enum(['API_KEY', 'TOKEN']).default('TOKEN').describe("How the account's administrator has set up access to the API"),
})
export type OzonetelSettings = z.output<typeof ozonetelSettings>
