export const notRun = 'the macOS backend (seatbelt) has not been run on macOS: nothing that it should hold has been seen to hold'
