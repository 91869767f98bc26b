/** As many characters of notes the service takes. */
export const mostNotes = 8_000
