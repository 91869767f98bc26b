import { z } from 'zod'

/** From the environment only, so that the key goes only to the operator's address. */
export const deepgramSettings = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  apiKey: z.string().min(1).meta({ secret: true }),
})
export type DeepgramSettings = z.output<typeof deepgramSettings>
