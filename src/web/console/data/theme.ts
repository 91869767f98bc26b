import { useEffect } from 'react'
import { type Client, useQuery } from 'urql'
import { graphql } from './graphql.ts'

const themeDocument = graphql(`
  query Theme {
    theme {
      id
      brand {
        id
        hospitalName
        logoUrl
      }
      colors {
        id
        primary
      }
    }
  }
`)

/** The workspace's name, logo and main colour. The colour is made readable in `tokens.css`, whatever it is. */
export function useTheme(): { readonly hospitalName: string | null; readonly logoUrl: string | null } {
  const [{ data }] = useQuery({ query: themeDocument, requestPolicy: 'cache-first' })
  const primary = data?.theme.colors.primary
  useEffect(() => {
    if (primary !== undefined) document.documentElement.style.setProperty('--brand', primary)
  }, [primary])
  const brand = data?.theme.brand
  return { hospitalName: brand?.hospitalName ?? null, logoUrl: brand?.logoUrl ?? null }
}

/** Asks again, after the theme was changed. */
export function refreshTheme(client: Client): void {
  client
    .query(themeDocument, {}, { requestPolicy: 'network-only' })
    .toPromise()
    .catch(() => null)
}
