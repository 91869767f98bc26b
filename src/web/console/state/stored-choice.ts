/** One of a few values that this browser remembers. */
export function storedChoice<Choice extends string>(key: string, choices: readonly Choice[]) {
  return {
    read(): Choice | null {
      try {
        const stored = localStorage.getItem(key)
        return choices.find((choice) => choice === stored) ?? null
      } catch {
        return null
      }
    },
    write(choice: Choice): void {
      try {
        localStorage.setItem(key, choice)
      } catch {
        // Without storage the choice lasts as long as the page.
      }
    },
  }
}
