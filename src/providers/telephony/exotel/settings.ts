import { z } from 'zod'
import { addressInput } from '../../../kernel/input.ts'

const text = z.string().trim().min(1).max(200)

/** One Exotel account: its key, its token and the number that customers see. */
export const exotelSettings = z.strictObject({
  url: addressInput
    .default('https://api.in.exotel.com')
    .meta({ destination: true })
    .describe('Address of the API; in Singapore https://api.exotel.com'),
  account: text.meta({ destination: true, account: true }).describe("The account's SID"),
  apiKey: text.meta({ secret: true }).describe('API key'),
  apiToken: text.meta({ secret: true }).describe('API token'),
  callerId: text.describe('The number that the customer sees, one of the account'),
})
export type ExotelSettings = z.output<typeof exotelSettings>
