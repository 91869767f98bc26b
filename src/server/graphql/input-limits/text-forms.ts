/** A form of texts. `message` says in an error what is allowed. Lengths are those of every text of the form. */
export type FormRule = {
  readonly pattern: RegExp
  readonly message: string
  readonly minLength?: number
  readonly maxLength?: number
  /** What the API description says instead, if the pattern alone would promise too much. */
  readonly published?: { readonly format?: string; readonly pattern?: string }
  /** For descriptions; empty if the pattern surprises nobody. */
  readonly description: string
}

export type TextForm = keyof typeof textForms

/** By the names of the enum TextForm in `schema/common.graphql`. */
export const textForms = {
  TEXT: {
    // oxlint-disable-next-line no-control-regex -- the platform answers NUL with an internal error
    pattern: /^[^\x00]*$/,
    message: 'must not contain the character NUL',
    description: '',
  },
  NOT_BLANK: {
    // oxlint-disable-next-line no-control-regex -- as above
    pattern: /^\s*[^\s\x00][^\x00]*$/,
    message: 'must not be empty, and must not contain the character NUL',
    minLength: 1,
    description: 'Not empty.',
  },
  LINE: {
    // oxlint-disable-next-line no-control-regex -- as above
    pattern: /^[^\S\t\n\v\f\r]*[^\x00-\x1f\x7f-\x9f\s][^\x00-\x1f\x7f-\x9f]*$/,
    message: 'must be one line that is not empty, without control characters',
    minLength: 1,
    description: 'One line.',
  },
  SECRET: {
    // oxlint-disable-next-line no-control-regex -- as above
    pattern: /^[^\x00-\x1f\x7f-\x9f]*$/,
    message: 'must have no control characters',
    minLength: 1,
    description: 'Without control characters.',
  },
  UUID: {
    pattern: /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/,
    message: 'must be a UUID of version 1 to 5',
    minLength: 36,
    maxLength: 36,
    published: { format: 'uuid' },
    description: 'A UUID of version 1 to 5.',
  },
  IDENTIFIER: {
    // No colon at the end: IDs are the last part of store keys.
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._:~@+=-]*[A-Za-z0-9._~@+=-])?$/,
    message: 'must be an ID: letters, digits and any of . _ : ~ @ + = -, beginning with a letter or digit, not ending with a colon',
    minLength: 1,
    maxLength: 100,
    description: 'Letters, digits and any of `. _ : ~ @ + = -`, beginning with a letter or digit, not ending with a colon.',
  },
  EMAIL: {
    // oxlint-disable-next-line no-control-regex -- as above
    pattern: /^[^\x00-\x1f\x7f-\x9f]*$/,
    message: 'must be an e-mail address',
    minLength: 1,
    maxLength: 254,
    // The use case removes spaces around it, then checks the address.
    published: {
      format: 'email',
      pattern: String.raw`^[A-Za-z0-9_+\-]+(\.[A-Za-z0-9_+\-]+)*@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
    },
    description: 'An e-mail address.',
  },
  DNS_LABEL: {
    pattern: /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
    message: 'must be a DNS label: letters, digits and inner hyphens, 63 at most',
    minLength: 1,
    maxLength: 63,
    description: 'Letters, digits and inner hyphens.',
  },
  SIP_EXTENSION: {
    pattern: /^[\w.+-]*$/,
    message: 'must have 1 to 64 letters, digits, or any of . + - _',
    minLength: 1,
    maxLength: 64,
    description: 'Letters, digits, or any of `. + - _`.',
  },
  HTTP_URL: {
    pattern: /^ *[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s]+$/,
    message: 'must be an http(s) address',
    description: 'An address that begins with `http://` or `https://`.',
  },
} as const satisfies Readonly<Record<string, FormRule>>
