import { graphql, type ResultOf } from '../../../data/graphql.ts'

const keyFields = graphql(`
  fragment KeyFields on WidgetKey {
    id
    key
    origins
    createdAt
    validUntil
  }
`)
export type WidgetKey = ResultOf<typeof keyFields>

export const keysDocument = graphql(
  `
    query WidgetKeys {
      widgetKeys {
        ...KeyFields
      }
      configuration(section: WIDGET)
    }
  `,
  [keyFields],
)
export const createKey = graphql(
  `
    mutation CreateWidgetKey($input: NewWidgetKey!) {
      createWidgetKey(input: $input) {
        ...KeyFields
      }
    }
  `,
  [keyFields],
)
export const rotateKey = graphql(
  `
    mutation RotateWidgetKey($key: ID!) {
      rotateWidgetKey(key: $key) {
        ...KeyFields
      }
    }
  `,
  [keyFields],
)
export const deleteKey = graphql(`
  mutation DeleteWidgetKey($key: ID!) {
    deleteWidgetKey(key: $key) {
      id
      key
    }
  }
`)
export const switchOn = graphql(`
  mutation SwitchWidgetOn($document: ConfigurationDocument!) {
    saveConfiguration(section: WIDGET, document: $document)
  }
`)

/** A key that works in this console alone: the preview uses it. */
export function isPreviewKey({ origins }: Pick<WidgetKey, 'origins'>): boolean {
  return origins.length === 1 && origins[0] === location.origin
}

/** What the pages of the site need. */
export function tagOf(key: string): string {
  return `<script async src="${location.origin}/widget.js" data-widget-key="${key}"></script>`
}
