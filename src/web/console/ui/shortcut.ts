export type Shortcut = {
  /** One key (`?`, `m`, `ArrowLeft`, a space), or two after each other (`g d`). No modifiers: browsers and screen readers have those. */
  readonly keys: string
  readonly label: string
  readonly run: () => void
}
