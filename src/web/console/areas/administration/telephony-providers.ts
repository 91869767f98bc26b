import { useMemo } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../../data/graphql.ts'
import { type Field, fieldsOf } from './configuration/form/schema.ts'

/** `name`: as the provider writes itself. */
export type Provider = { readonly id: string; readonly name: string }

const schemaQuery = graphql(`
  query TelephonyProviders {
    configurationSchema(section: TELEPHONY)
  }
`)

/** The providers that can be chosen in these fields of the telephony section, each once. */
export function providersIn(fields: readonly Field[]): readonly Provider[] {
  const options = fields.flatMap((field) => (field.kind === 'variant' ? field.options : []))
  return options.filter(({ id }, at) => options.findIndex((option) => option.id === id) === at)
}

/** `nameOf`: of a provider that the service no longer knows, its id. Empty until the names are read. */
export type TelephonyProviders = { readonly providers: readonly Provider[]; readonly nameOf: (id: string) => string }

/** All providers that the service knows, those where agents sign in first. */
export function useTelephonyProviders(): TelephonyProviders {
  const [{ data, fetching }] = useQuery({ query: schemaQuery, requestPolicy: 'cache-first' })
  return useMemo(() => {
    const providers = data ? providersIn(fieldsOf(data.configurationSchema)) : []
    return { providers, nameOf: (id) => (fetching ? '' : (providers.find((provider) => provider.id === id)?.name ?? id)) }
  }, [data, fetching])
}
