// Signs a request and sends it: KEY_ID=... SECRET=... dotnet run METHOD URL [BODY]
using System;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

static class Program
{
    static int Main(string[] args) => Send(args[0], args[1], args.ElementAtOrDefault(2) ?? "").GetAwaiter().GetResult();

    static async Task<int> Send(string method, string url, string text)
    {
        var body = Encoding.UTF8.GetBytes(text);
        var request = new HttpRequestMessage(new HttpMethod(method), url);
        if (body.Length > 0)
        {
            request.Content = new ByteArrayContent(body);
            request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        }
        if (Variable("IF_MATCH", "") != "") request.Headers.Add("If-Match", Variable("IF_MATCH", ""));
        var created = Variable("SIGN_CREATED", DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString());
        var nonce = Variable("SIGN_NONCE", Guid.NewGuid().ToString());
        var signatureBase = Signing.Sign(request, body, Variable("KEY_ID", ""), Variable("SECRET", ""), created, nonce);
        if (Variable("SIGN_ONLY", "") != "")
        {
            Console.WriteLine($"{signatureBase}\n\n{request.Headers.GetValues("Signature").Single()}");
            return 0;
        }
        using (var client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) })
        using (var answer = await client.SendAsync(request))
        {
            Console.WriteLine(await answer.Content.ReadAsStringAsync());
            return answer.IsSuccessStatusCode ? 0 : 1;
        }
    }

    static string Variable(string name, string otherwise) => Environment.GetEnvironmentVariable(name) ?? otherwise;
}
