import { randomBytes } from 'node:crypto'

/** A public identifier of a workspace's widget. It is no secret: it is valid only on pages of its origins. */
export type WidgetKey = {
  readonly key: string
  readonly workspaceId: string
  /** As browsers send them: `https://www.hospital.example`. */
  readonly origins: readonly string[]
  readonly createdAt: string
  /** Null: until it is rotated or deleted. */
  readonly validUntil: string | null
}

const maxPrefix = 32
/** 32 characters that are not mistaken for each other. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** `city-hospital_` and 120 random bits. A name without a Latin letter or digit gives `widget_`. */
export function newWidgetKey(hospitalName: string): string {
  const random = Array.from(randomBytes(24), (byte) => alphabet[byte % alphabet.length]).join('')
  return `${prefixOf(hospitalName) || 'widget'}_${random}`
}

function prefixOf(hospitalName: string): string {
  const plain = hospitalName
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
  const dashed = trimmed(plain.replaceAll(/[^a-z0-9]+/g, '-'))
  const cut = dashed.slice(0, maxPrefix)
  const cutsWord = /^[a-z0-9]/.test(dashed.slice(maxPrefix)) && cut.includes('-')
  return trimmed(cutsWord ? cut.slice(0, cut.lastIndexOf('-')) : cut)
}

function trimmed(text: string): string {
  return text.replaceAll(/^-|-$/g, '')
}
