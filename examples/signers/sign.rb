#!/usr/bin/env ruby
# Signs a request and sends it: KEY_ID=... SECRET=... sign.rb METHOD URL [BODY]
require 'net/http'
require 'openssl'
require 'securerandom'

def base64(bytes) = [bytes].pack('m0')

# Returns headers and signature base. The nonce identifies the call: a retry keeps it and uses a later time.
def sign(method, uri, body, key_id:, secret:, nonce:, created: Time.now.to_i, if_match: '')
  authority = uri.port == uri.default_port ? uri.host.downcase : "#{uri.host.downcase}:#{uri.port}"
  covered = { '@method' => method, '@authority' => authority, '@path' => uri.path }
  covered['@query'] = "?#{uri.query}" unless uri.query.to_s.empty?
  covered['content-digest'] = "sha-256=:#{base64(OpenSSL::Digest.digest('SHA256', body))}:" unless body.empty?
  covered['if-match'] = if_match unless if_match.empty?

  names = covered.keys.map { |name| %("#{name}") }.join(' ')
  params = %[(#{names});created=#{created};nonce="#{nonce}";keyid="#{key_id}"]
  base = covered.merge('@signature-params' => params).map { |name, value| %("#{name}": #{value}) }.join("\n")
  mac = base64(OpenSSL::HMAC.digest('SHA256', secret, base))
  headers = covered.slice('content-digest', 'if-match')
  [headers.merge('signature-input' => "sig1=#{params}", 'signature' => "sig1=:#{mac}:"), base]
end

method, url, body = ARGV
uri = URI(url)
given = { created: ENV['SIGN_CREATED'], if_match: ENV['IF_MATCH'] }.compact
nonce = ENV['SIGN_NONCE'] || SecureRandom.hex
headers, base = sign(method, uri, body.to_s, key_id: ENV.fetch('KEY_ID'), secret: ENV.fetch('SECRET'), nonce: nonce, **given)
if ENV['SIGN_ONLY']
  puts base, '', headers['signature']
  exit
end
# Net::HTTP's own retry would send the same signature twice.
options = { use_ssl: uri.scheme == 'https', open_timeout: 10, read_timeout: 10, max_retries: 0 }
answer = Net::HTTP.start(uri.host, uri.port, **options) do |http|
  http.send_request(method, uri.request_uri, body, { 'content-type' => 'application/json', **headers })
end
abort "HTTP #{answer.code}, not the service's answer to this request" unless answer['request-nonce'] == nonce
puts answer.body
exit answer.is_a?(Net::HTTPSuccess)
