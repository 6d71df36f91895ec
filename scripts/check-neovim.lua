-- What scripts/check-neovim lets Neovim do. Works with version 0.7, as in Debian 12, and later ones.

local laban, folder = vim.env.LABAN, vim.env.FOLDER

local function say(text)
  io.stdout:write(text .. '\n')
end

local function check(condition, what)
  if not condition then
    say('FAILED: ' .. what)
    vim.cmd('cquit 1')
  end
end

local function wait(condition, what)
  check(vim.wait(120000, condition, 10), 'waited too long for ' .. what)
end

-- The last version of each document that something was shown of.
local shown = {}
local publish = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(err, result, context, config)
  local answer = publish(err, result, context, config)
  shown[result.uri] = result.version or true
  return answer
end
-- The first of several actions is taken.
vim.ui.select = function(items, _, on_choice)
  on_choice(items[1], 1)
end

local client = vim.lsp.start_client({
  name = 'laban',
  cmd = { laban, 'lsp' },
  root_dir = folder,
  init_options = { timeout = 0 },
})
check(client, 'the server starts')

local function version(buffer)
  return vim.lsp.util.buf_versions[buffer]
end

local function wait_for_diagnostics(buffer)
  local uri = vim.uri_from_bufnr(buffer)
  wait(function()
    return shown[uri] ~= nil and shown[uri] == version(buffer)
  end, 'the diagnostics of ' .. uri)
  return vim.diagnostic.get(buffer)
end

local function open(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client)
  wait(function()
    return version(buffer) ~= nil
  end, 'the server to be ready')
  return buffer
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
end

local function run(arguments)
  local output = vim.fn.system(arguments)
  return vim.v.shell_error, output
end

-- 1. All examples, with what the command says about them.
local examples, diagnostics = 0, 0
for _, path in ipairs(vim.fn.glob(folder .. '/examples/*', true, true)) do
  local buffer = open(path)
  local found = wait_for_diagnostics(buffer)
  local has_errors = false
  for _, one in ipairs(found) do
    has_errors = has_errors or one.severity == vim.diagnostic.severity.ERROR
    check(one.source == 'laban' and #one.message > 0, path)
  end
  local status = run({ laban, 'check', path })
  check(has_errors == (status ~= 0), path .. ': the command and the server agree')
  examples, diagnostics = examples + 1, diagnostics + #found
  vim.cmd('bdelete!')
end
check(examples > 60 and diagnostics > 10, 'there are examples')
say(examples .. ' examples, ' .. diagnostics .. ' diagnostics: as the command says')

-- 2. A process is renamed over three files.
local buffer = open(folder .. '/spread/buyer.net')
check(#wait_for_diagnostics(buffer) == 0, 'the three files are one network')
vim.fn.search('seller')
vim.lsp.buf.rename('shop')
local function content(name)
  local number = vim.fn.bufnr(folder .. '/spread/' .. name .. '.net')
  return number > 0 and vim.fn.bufloaded(number) == 1 and text(number) or ''
end
wait(function()
  local all = content('buyer') .. content('seller') .. content('bank')
  local _, renamed = string.gsub(all, 'shop', '')
  return renamed == 4 and not string.find(all, 'seller')
end, 'the rename')
vim.cmd('silent wall')
local together = { laban, 'check', '--together' }
for _, name in ipairs({ 'buyer', 'seller', 'bank' }) do
  table.insert(together, folder .. '/spread/' .. name .. '.net')
end
check(run(together) == 0, 'the renamed network is extractable')
-- The server looks at the other files when this one is saved, which may have been before they were.
vim.cmd('silent write')
wait(function()
  return #vim.diagnostic.get(buffer) == 0
end, 'an answer without a mistake after the rename')
say('a process renamed over three files: ' .. vim.trim(content('seller')))

-- 3. A fix.
buffer = open(folder .. '/misspelt.net')
local found = wait_for_diagnostics(buffer)
check(#found == 1 and found[1].code == 'unknown-process', 'a misspelt process is found')
vim.api.nvim_win_set_cursor(0, { found[1].lnum + 1, found[1].col })
vim.lsp.buf.code_action()
wait(function()
  return string.find(text(buffer), 'bob?', 1, true) ~= nil
end, 'the fix')
check(#wait_for_diagnostics(buffer) == 0, 'the fix cures it')
say('a fix applied: ' .. vim.trim(vim.fn.getline(1)))

-- 4. The standard layout.
if vim.lsp.buf.format then
  vim.lsp.buf.format({ timeout_ms = 60000 })
else
  vim.lsp.buf.formatting_sync(nil, 60000)
end
vim.cmd('silent write')
check(run({ laban, 'fmt', '--check', folder .. '/misspelt.net' }) == 0, 'the layout is that of the command')
say('formatted: ' .. vim.trim(vim.fn.getline(1)))

vim.lsp.stop_client(client)
wait(function()
  return vim.lsp.client_is_stopped(client)
end, 'the server to end')
say('Neovim ' .. tostring(vim.version().major) .. '.' .. vim.version().minor .. ' is content')
vim.cmd('qall!')
