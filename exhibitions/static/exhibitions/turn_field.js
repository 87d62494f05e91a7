/**
 * Have a field follow the turn that the viewer shows, until somebody writes a number in it.
 * @param {HTMLInputElement} field
 * @returns {(turn: number) => void} to be called with each turn that is shown
 */
export function turnField(field) {
  let isWritten = false;
  field.addEventListener("input", () => (isWritten = true), { once: true });
  return (turn) => {
    if (!isWritten) field.value = Math.max(turn, 1);
  };
}
