export const notRun = 'the macOS backend (seatbelt) has not been run on macOS: none of its guarantees has been tested'
