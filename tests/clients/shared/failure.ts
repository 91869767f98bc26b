/** An error of the service: `code` is one of a short list, `reason` says exactly what happened. */
export type ServiceError = {
  readonly message: string
  readonly extensions?: { readonly [name: string]: unknown } | undefined
}

export const isExpired = (error: ServiceError): boolean => error.extensions?.['code'] === 'UNAUTHENTICATED'

type Field = { readonly path: string; readonly message: string; readonly allowed?: readonly string[] }

/** What to show to the person: for refused input, each field with the values that are allowed. */
export function explain({ message, extensions }: ServiceError): string {
  const data = extensions?.['data'] as { readonly fields?: readonly Field[] } | undefined
  if (extensions?.['code'] !== 'BAD_USER_INPUT' || !data?.fields) return message
  return data.fields.map(({ path, message, allowed }) => `${path}: ${message}${allowed ? ` (${allowed.join(', ')})` : ''}`).join('; ')
}
