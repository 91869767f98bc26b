import { z } from 'zod'

/** What a variable of the environment may hold. */
export const text = z.string().trim().min(1)
export const address = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).transform((url) => url.replace(/\/+$/, ''))
export const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
export const wholeNumber = (range: { min: number; max: number }) => z.coerce.number().int().min(range.min).max(range.max)
export const dnsLabel = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be DNS labels (small letters, digits, hyphens), separated by commas')
