import { z } from 'zod'

/** From the environment alone, so that the key goes to the operator's address and nowhere else. */
export const deepgramSettings = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  apiKey: z.string().min(1).meta({ secret: true }),
})
export type DeepgramSettings = z.output<typeof deepgramSettings>
