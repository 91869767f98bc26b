import { UsageError } from '../kernel/usage-error.ts'

/** The address of a service, without a closing slash. Throws UsageError. */
export function serviceAddress(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new UsageError(`"${text}" is not the address of a service; it must be like http://127.0.0.1:4100`)
  }
  return text.replace(/\/+$/, '')
}
